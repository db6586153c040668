class Engine {
  private total = 0;

  step(end: number): number {
    while (performance.now() < end) {
      this.total += Math.sqrt(this.total + 1);
    }
    return this.total;
  }
}

export const countSteps = (ms: number) => new Engine().step(performance.now() + ms);
