/** The index page: addresses with the chosen theme, ready to be copied. */
const theme = document.getElementById("theme");

function refresh() {
  for (const row of document.querySelectorAll("[data-path]")) {
    const url = new URL(row.dataset.path, location.origin);
    if (row.dataset.path.startsWith("/overlay") && theme.value !== "studio") url.searchParams.set("theme", theme.value);
    row.querySelector("a").href = url.href;
    row.querySelector("code").textContent = url.href;
  }
}

for (const button of document.querySelectorAll("[data-path] button")) {
  button.addEventListener("click", async () => {
    const text = button.closest("[data-path]").querySelector("code").textContent;
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      // Without https some browsers keep the clipboard to themselves: select it instead.
      getSelection().selectAllChildren(button.closest("[data-path]").querySelector("code"));
      button.textContent = "Selected";
    }
    setTimeout(() => { button.textContent = "Copy"; }, 1600);
  });
}
theme.addEventListener("change", refresh);
refresh();
