// Plays the recording picture by picture.

class Player {
  // `step`: shows the next picture; returns false at the end.
  constructor(step) {
    this.step = step;
    this.perSecond = 8;
    this.timer = 0;
  }
  get playing() { return this.timer !== 0; }
  start() {
    this.stop();
    this.timer = window.setInterval(() => { if (!this.step()) this.stop(); }, 1000 / this.perSecond);
    if (this.changed) this.changed();
  }
  stop() {
    window.clearInterval(this.timer);
    this.timer = 0;
    if (this.changed) this.changed();
  }
  setSpeed(perSecond) {
    this.perSecond = perSecond;
    if (this.playing) this.start();
  }
}
