/** The dialog of an order: its form, what it would change, and the button that gives it. */
import { html, View } from "../../shared/dom.js";
import { text } from "../../shared/texts.js";
import { give, orderId } from "../desk.js";
import { close, Dialog, Preview } from "./dialog.js";
import { FORMS } from "./orders.js";

/** @import { Form, FormContext, FormField, OrderPreview, Values } from "../models" */
/** @typedef {{name?: string, form?: Form, ctx: FormContext, can: boolean}} OrderProps */
/** @typedef {{values: Values, found: OrderPreview | null, busy: boolean}} OrderState */

/**
 * One labelled field of a form.
 * @param {{field: FormField, value: string | boolean, onValue: (name: string, value: string | boolean) => void, focus?: boolean}} props
 */
export function Field({ field: one, value, onValue, focus }) {
  /** @param {{currentTarget: HTMLInputElement}} event */
  const input = (event) =>
    onValue(
      one.name,
      one.type === "check" ? event.currentTarget.checked : event.currentTarget.value,
    );
  const common = { name: one.name, autofocus: focus };
  if (one.type === "check")
    return html`<label class="check"><input type="checkbox" ...${common} checked=${value} onInput=${input} />${one.label}</label>`;
  return html`<label><span>${one.label}</span>
    ${
      one.type === "select"
        ? html`<select ...${common} value=${value} onInput=${input}>${one.options?.().map(([key, label]) => html`<option value=${key}>${label}</option>`)}</select>`
        : one.type === "area"
          ? html`<textarea ...${common} rows="3" maxlength=${one.most ?? 400} value=${value} onInput=${input}></textarea>`
          : html`<input ...${common} inputmode=${one.type === "number" ? "numeric" : "text"} autocomplete="off" spellcheck="false" maxlength=${one.most ?? 60} value=${value} onInput=${input} />`
    }
    ${one.hint && html`<small class="soft">${one.hint}</small>`}</label>`;
}

/**
 * A form with what its order would change; nothing is recorded before it is confirmed.
 * @extends {View<OrderProps, OrderState>}
 */
export class OrderDialog extends View {
  /** @type {HTMLButtonElement | null} */
  confirm = null;

  /** @param {OrderProps} props */
  constructor(props) {
    super(props);
    this.id = orderId();
    this.form = props.form ?? FORMS[props.name ?? ""];
    /** @type {Values} */
    const values = {};
    for (const asked of this.form.fields(props.ctx))
      values[asked.name] = asked.value?.() ?? (asked.type === "check" ? false : "");
    /** @type {OrderState} */
    this.state = { values, found: null, busy: false };
  }

  /**
   * A form without fields is confirmed by Enter as soon as its change is on the page.
   * @param {OrderProps} _
   * @param {OrderState} before
   */
  componentDidUpdate(_, before) {
    const button = this.confirm;
    if (this.state.found && !before.found && button && !this.form.fields(this.props.ctx).length)
      button.focus();
  }

  /**
   * @param {OrderProps} props
   * @param {OrderState} state
   */
  render({ ctx, can }, { values, found, busy }) {
    const { title, fields, build, plain } = this.form;
    const act = build(values, ctx);
    /**
     * @param {string} name
     * @param {string | boolean} value
     */
    const onValue = (name, value) =>
      this.setState({
        values: { ...this.state.values, [name]: value, ...this.form.follow?.(name, value, ctx) },
      });
    const shown = fields(ctx).filter((asked) => !asked.when || asked.when(values));
    /** @param {Event} event */
    const confirm = async (event) => {
      event.preventDefault();
      if (!act) return;
      this.setState({ busy: true });
      if (await give(act, this.id)) close();
      else this.setState({ busy: false });
    };
    return html`<${Dialog} title=${ctx.entry ? `${title}: ${ctx.entry.text}` : title}>
      <form class="order" onSubmit=${confirm}>
        ${shown.map((asked, index) => html`<${Field} key=${asked.name} field=${asked} value=${values[asked.name]} onValue=${onValue} focus=${index === 0} />`)}
        ${this.form.beside?.(values, ctx)}
        ${
          !plain &&
          html`<${Preview} act=${act} id=${this.id} onFound=${(/** @type {OrderPreview | null} */ next) => this.setState({ found: next })} />`
        }
        <footer><button type="button" onClick=${close}>${text("cancel")}</button>
          <button class="main" ref=${(/** @type {HTMLButtonElement | null} */ element) => {
            this.confirm = element;
          }} disabled=${!can || busy || !act || (!plain && !found)}>${text("apply")}</button></footer>
      </form><//>`;
  }
}
