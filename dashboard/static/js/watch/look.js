/**
 * Light or dark as the device wants it, or as the address says (`theme=`), before anything is drawn;
 * `embed=1` leaves the bar out, for a page that shows this one in a frame.
 */
(() => {
  const asked = new URLSearchParams(location.search);
  const { dataset } = document.documentElement;
  const light = matchMedia("(prefers-color-scheme: light)");
  const chosen = asked.get("theme") ?? "";
  const follow = () => {
    dataset.theme = light.matches ? "paper" : "studio";
  };
  if (["studio", "paper", "contrast"].includes(chosen)) dataset.theme = chosen;
  else {
    follow();
    light.addEventListener("change", follow);
  }
  if (asked.get("embed") === "1") dataset.embed = "1";
})();
