/**
 * The one file that names the view library (Preact and htm, vendored byte for byte).
 * Everything else imports from here, so that the choice can be reversed in one place.
 */
import { Component, h, render } from "../../vendor/preact/preact.mjs";
import htm from "../../vendor/htm/htm.mjs";

export const html = htm.bind(h);
export { render };

/** A component that knows its own element: give it to the outermost node as `ref=${this.own}`. */
export class View extends Component {
  constructor(props) {
    super(props);
    this.root = null;
    this.own = (element) => {
      this.root = element ?? this.root;
    };
  }
}
