/** A colour of the style sheet as it is in this place now: a canvas does not know `var` and `light-dark`. */
export function colourAt(element: Element, name: string): string {
  const probe = document.createElement("i");
  probe.style.color = `var(--${name})`;
  (element instanceof HTMLCanvasElement ? element.parentElement : element)?.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
