// pace.ts - who gets the time. The simulation follows the clock; drawing takes what is left. Nothing
// here asks for the time, it is told.

const LONGEST_DEBT = 0.25; // [s] by which it may be late; what is more is never caught up with
const PACE_OVER = 500; // [ms] over which the pace is measured

// Which steps are due. Times in ms.
export class StepPace {
  private due = 0; // [s] simulated time
  private last = 0;
  private markAt = 0;
  private marked = 0; // [s] simulated since the mark
  pace = 0; // simulated time over that of the clock; 0 when not known

  start(now: number): void {
    this.due = this.marked = this.pace = 0;
    this.last = this.markAt = now;
  }

  // The clock has gone on.
  advance(now: number, speed: number): void {
    this.due = Math.min(this.due + ((now - this.last) / 1000) * speed, LONGEST_DEBT * speed);
    this.last = now;
    if (now - this.markAt < PACE_OVER) return;
    this.pace = (1000 * this.marked) / (now - this.markAt);
    this.markAt = now;
    this.marked = 0;
  }

  isDue(step: number): boolean {
    return this.due >= step;
  }

  made(step: number): void {
    this.due -= step;
    this.marked += step;
  }

  // [ms] until a step is due.
  wait(step: number, speed: number): number {
    return (1000 * (step - this.due)) / speed;
  }

  // [s] of the clock.
  lag(speed: number): number {
    return this.due / speed;
  }
}

const LATE = 0.03; // [s] from which on the simulation is late
const LEAST_SHARE = 0.1; // of the time that drawing gets
const LONGEST_WAIT = 500; // [ms] between frames, unless one alone takes longer

// When to draw. What a frame costs is the time until it is there; frames follow each other at once
// while the simulation keeps up with the clock, and leave more and more room when it does not.
export class DrawPace {
  private share = 1;
  private begun = -Infinity;
  private busy = false;
  cost = 0; // [ms] of the last frame

  begin(now: number): void {
    this.begun = now;
    this.busy = true;
  }

  // `lag` [s] of the simulation. A frame that is not to be followed by others like it leaves no pause.
  end(now: number, lag: number, follows = true): void {
    this.cost = follows ? now - this.begun : 0;
    this.busy = false;
    this.share = lag > LATE ? Math.max(0.8 * this.share, LEAST_SHARE) : Math.min(1.2 * this.share, 1);
  }

  // A frame was ordered, and is not there yet.
  get isBusy(): boolean {
    return this.busy;
  }

  isDue(now: number): boolean {
    const pause = Math.min(this.cost / this.share, LONGEST_WAIT);
    return !this.busy && now >= this.begun + pause;
  }
}

const RATIOS = [2, 1.5, 1, 0.75, 0.5]; // pixels that are drawn per pixel of the page, along each side
const AT_FIRST = 1;
const TOO_LONG = 50; // [ms] a frame that takes longer is drawn with fewer pixels
const SHORT = 20; // [ms] that one with more pixels may take
const LOOKS = 3; // frames that agree before anything changes

// How finely to draw what moves. What stands still is drawn with the most pixels.
export class Quality {
  readonly still = RATIOS[0];
  private level = RATIOS.indexOf(AT_FIRST);
  private slow = 0; // frames in a row
  private fast = 0;

  get moving(): number {
    return RATIOS[this.level];
  }

  // A frame of what moves took `cost` [ms].
  note(cost: number): void {
    const more = RATIOS[this.level - 1] ?? Infinity;
    this.slow = cost > TOO_LONG ? this.slow + 1 : 0;
    this.fast = cost * (more / this.moving) ** 2 < SHORT ? this.fast + 1 : 0;
    if (this.slow < LOOKS && this.fast < LOOKS) return;
    this.level = Math.min(this.level + (this.slow > 0 ? 1 : -1), RATIOS.length - 1);
    this.slow = this.fast = 0;
  }
}
