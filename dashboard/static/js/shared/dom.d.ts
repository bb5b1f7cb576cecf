/**
 * The types of dom.js, in place of those of the vendored view library: what our pages use of it.
 * Templates are text to the checker: what is handed to a component inside `html` is not checked.
 */

/** What a component draws: opaque, for only the view library reads it. */
export type Drawn = VNode | VNode[] | string | null | undefined | false;
interface VNode {
  readonly type: unknown;
  readonly props: unknown;
}

export function html(strings: TemplateStringsArray, ...values: unknown[]): VNode;

/** Draws into a place of the page, or takes away what was drawn there. */
export function render(view: Drawn, into: Element): void;

/**
 * A component with properties `P`, a state `S`, and an outermost element `E`. `root` is there from
 * `componentDidMount` on; before that it is null, which the type leaves out.
 */
export class View<P = object, S = object, E extends HTMLElement = HTMLElement> {
  constructor(props: P);
  props: P;
  state: S;
  root: E;
  own: (element: E | null) => void;
  setState(values: Partial<S>, done?: () => void): void;
  render(props: P, state: S): Drawn;
  componentDidMount?(): void;
  componentDidUpdate?(before: P, state: S): void;
  componentWillUnmount?(): void;
  shouldComponentUpdate?(next: P): boolean;
  getSnapshotBeforeUpdate?(before: P): unknown;
}
