import { countSteps } from './engine';

export function render({ el, ms }: { el: HTMLElement; ms: number }): void {
  el.textContent = String(countSteps(ms));
}
