/** What a phone's page is to the server, whatever it sends: a new boot at every load of the page. */
import { Pauses } from "../shared/pauses.js";

/** @returns {string} eight hexadecimal digits that no other page has */
export const newBoot = () =>
  [...crypto.getRandomValues(new Uint8Array(4))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");

/** Pauses before a phone tries to reach the server again. */
export const phonePauses = () => new Pauses(300, 3000);
