// The whole section: display and controls.

const SPEEDS = [1, 2, 4, 8, 16, 32];

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

class View {
  constructor(root) {
    this.root = root;
    this.recording = new Recording(JSON.parse(this.part('.recording').textContent));
    if (this.recording.pictures === 0) return this.sayNothingRecorded();
    this.picture = 0;
    this.colouring = 'pages';
    this.chosen = root.dataset.chosen = this.firstCollected();
    this.story = new Story(this.recording);
    this.grid = new Grid(this.part('.grid'), this.recording);
    this.hostChart = new HostChart(this.part('.host'), this.recording);
    this.lifeChart = new LifeChart(this.part('.life'), this.recording);
    this.player = new Player(() => this.advance());
    this.player.changed = () => this.showPlaying();
    this.setUpControls();
    this.setUpPointer();
    root.addEventListener('keydown', event => this.key(event));
    new ResizeObserver(() => this.draw()).observe(this.part('.stage'));
    this.showLegend();
    this.showMoments();
    this.show(this.story.opening());
    this.setUpTheme();
    this.beginWhenSeen();
  }

  // Plays automatically when the section is visible, until the reader interacts or scrolls away. Not with
  // prefers-reduced-motion.
  beginWhenSeen() {
    this.byItself = !window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    if (!this.byItself) return;
    const watch = new IntersectionObserver(entries => {
      if (!this.byItself) return watch.disconnect();
      const seen = entries[entries.length - 1].isIntersecting;
      if (seen && !this.player.playing) this.player.start();
      if (!seen) this.player.stop();
    }, {threshold: 0.3});
    watch.observe(this.part('.stage'));
    for (const type of ['pointerdown', 'keydown', 'input'])
      this.root.addEventListener(type, event => this.takeOver(event), {capture: true});
  }
  // Any interaction ends automatic play. The Pause button stops it through its own handler.
  takeOver(event) {
    if (!this.byItself) return;
    this.byItself = false;
    if (!event.target.closest('.play, .speed, .order, .colouring')) this.player.stop();
  }

  setUpTheme() {
    const use = theme => {
      COLOUR = theme;
      this.showLegend();
      this.draw();
    };
    DARK.addEventListener('change', () => use(DARK.matches ? THEMES.dark : THEMES.light));
    window.addEventListener('beforeprint', () => use(THEMES.light));
    window.addEventListener('afterprint', () => use(DARK.matches ? THEMES.dark : THEMES.light));
  }

  part(selector) { return this.root.querySelector(selector); }

  sayNothingRecorded() {
    this.part('.now').textContent = 'The run ended before the first picture was taken.';
    for (const selector of ['.controls', '.moments', '.stage', '.keys', '.legend']) this.part(selector).remove();
  }

  // The first superblock that is collected or erased: its history is worth showing.
  firstCollected() {
    for (let picture = 1; picture < this.recording.pictures; ++picture) {
      const cells = this.recording.collecting(picture).concat(this.recording.erasedSince(picture));
      if (cells.length > 0) return cells[0].block;
    }
    return 0;
  }

  // --- display ---
  show(picture) {
    this.picture = Math.max(0, Math.min(this.recording.pictures - 1, picture));
    this.root.dataset.picture = this.picture;
    const time = this.recording.timeOf(this.picture);
    this.part('.time').value = this.picture;
    this.part('.time').setAttribute('aria-valuetext', secondsText(time));
    this.part('.clock').textContent = time.toFixed(this.recording.everyS < 0.1 ? 3 : 2) + ' s';
    this.showStory();
    this.draw();
  }

  showStory() {
    const phase = this.recording.phaseAt(this.picture);
    const now = this.part('.now');
    now.setAttribute('aria-live', this.player.playing ? 'off' : 'polite');
    this.part('.block').setAttribute('aria-live', 'off');
    now.textContent = '';
    if (phase) {
      const name = document.createElement('b');
      name.textContent = phase.name + ': ';
      now.append(name);
    }
    now.append(this.story.now(this.picture));
    this.part('.cost').textContent = this.story.cost(this.picture);
    this.part('.latency').textContent = this.story.latency(this.picture);
  }

  draw() {
    this.grid.draw(this.picture, this.chosen, this.colouring);
    drawWhole(this.part('.whole'), this.recording, this.picture);
    this.hostChart.draw(this.picture);
    this.lifeChart.draw(this.picture, this.chosen);
    this.part('.block').textContent = new Life(this.recording, this.picture, this.chosen).text(this.picture);
  }

  choose(block) {
    this.chosen = Math.max(0, Math.min(this.recording.blocks - 1, block));
    this.root.dataset.chosen = this.chosen;
    this.part('.block').setAttribute('aria-live', 'polite');
    this.draw();
  }

  advance() {
    if (this.picture + 1 >= this.recording.pictures) return false;
    this.show(this.picture + 1);
    return this.picture + 1 < this.recording.pictures;
  }

  toggle() {
    if (this.player.playing) return this.player.stop();
    if (this.picture + 1 >= this.recording.pictures) this.show(0);
    this.player.start();
  }

  showPlaying() {
    const button = this.part('.play');
    button.textContent = this.player.playing ? '❚❚ Pause' : '▶ Play';
    button.setAttribute('aria-label', this.player.playing ? 'Pause' : 'Play');
    this.root.dataset.playing = this.player.playing;
  }

  // --- legend ---
  showLegend() {
    const legend = this.part('.legend');
    legend.textContent = '';
    const legends = {wear: () => this.wearLegend(), age: () => this.ageLegend(), pages: () => this.pagesLegend()};
    const entries = legends[this.colouring]();
    for (const [text, draw] of entries.concat(this.markLegend())) legend.append(legendEntry(text, draw));
  }

  pagesLegend() {
    const filled = (valid, stale) => context => {
      vessel(context, 1, 1, 16, 16, {valid, stale}, 1);
      context.strokeStyle = COLOUR.edge;
      context.strokeRect(1.5, 1.5, 15, 15);
    };
    return [['valid: current data', filled(1, 0)], ['stale: replaced or trimmed', filled(0, 1)],
            ['free: erased', filled(0, 0)]];
  }

  wearLegend() {
    const {leastErases, mostErases} = this.recording;
    const steps = [0, 0.25, 0.5, 0.75, 1].map(share => Math.round(leastErases + share * (mostErases - leastErases)));
    const colours = [...new Set(steps)];
    return colours.map(erases => ['erased ' + erases.toLocaleString('en-US') + '×', context => {
      context.fillStyle = wearColour(this.grid.wear(erases));
      context.fillRect(1, 1, 16, 16);
    }]);
  }

  ageLegend() {
    const seconds = this.recording.everyS * (this.recording.pictures - 1);
    return [0, 0.5, 1].map(share => ['data of ' + secondsText(share * seconds), context => {
      context.fillStyle = wearColour(share);
      context.fillRect(1, 1, 16, 16);
    }]);
  }

  markLegend() {
    const mark = (cell, erased) => context => {
      const {colour, dash, in: into, out} = markOf(cell, erased);
      context.strokeStyle = colour;
      context.lineWidth = 3;
      context.setLineDash(dash);
      context.strokeRect(2.5, 2.5, 13, 13);
      if (into || out) triangle(context, 9, 9, 9, Boolean(into), colour);
    };
    return [['the host writes here', mark({state: 'open', takes: 'host'})],
            ['copies go here', mark({state: 'open', takes: 'relocation'})],
            ['being collected', mark({state: 'collecting', takes: ''})],
            ['just erased', mark({state: 'free', takes: ''}, true)],
            ['chosen', context => {
              context.strokeStyle = COLOUR.chosen;
              context.lineWidth = 3;
              context.strokeRect(2.5, 2.5, 13, 13);
            }]];
  }

  showMoments() {
    for (const {picture, text} of this.story.moments()) {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = text;
      button.addEventListener('click', () => this.pauseAt(picture));
      this.part('.moments').append(button);
    }
  }

  // --- controls ---
  setUpControls() {
    const time = this.part('.time'), speed = this.part('.speed'), colouring = this.part('.colouring'),
      order = this.part('.order');
    time.max = this.recording.pictures - 1;
    time.addEventListener('input', () => this.show(Number(time.value)));
    this.part('.play').addEventListener('click', () => this.toggle());
    this.part('.back').addEventListener('click', () => this.pauseAt(this.picture - 1));
    this.part('.forward').addEventListener('click', () => this.pauseAt(this.picture + 1));
    for (const perSecond of SPEEDS) speed.append(new Option(count(perSecond, 'picture') + '/s', perSecond));
    this.player.perSecond = window.matchMedia('(prefers-reduced-motion: reduce)').matches ? 1 : 8;
    speed.value = this.player.perSecond;
    speed.addEventListener('change', () => this.player.setSpeed(Number(speed.value)));
    colouring.addEventListener('change', () => this.colourBy(colouring.value));
    if (this.recording.firstDies.every(die => die === this.recording.firstDies[0])) order.querySelector('[value=die]').remove();
    order.addEventListener('change', () => {
      this.grid.order = order.value;
      this.draw();
    });
  }

  colourBy(colouring) {
    this.colouring = colouring;
    this.part('.colouring').value = colouring;
    this.showLegend();
    this.draw();
  }

  pauseAt(picture) {
    this.player.stop();
    this.show(picture);
  }

  setUpPointer() {
    const grid = this.part('.grid');
    const block = event => this.grid.blockAt(event.offsetX, event.offsetY);
    grid.addEventListener('click', event => { if (block(event) >= 0) this.choose(block(event)); });
    grid.addEventListener('mousemove', event => this.hover(block(event)));
    grid.addEventListener('mouseleave', () => this.hover(-1));
    for (const [selector, chart] of [['.host', this.hostChart], ['.life', this.lifeChart]]) {
      const go = event => this.show(chart.axis.pictureAt(event.offsetX));
      this.part(selector).addEventListener('pointerdown', event => {
        event.target.setPointerCapture(event.pointerId);
        go(event);
      });
      this.part(selector).addEventListener('pointermove', event => { if (event.buttons === 1) go(event); });
    }
  }

  hover(block) {
    const cell = block >= 0 ? this.recording.cell(this.picture, block) : null;
    this.part('.hover').textContent = cell === null ? '' :
      'block ' + block + ': ' + cell.valid + ' valid, ' + cell.stale + ' stale, ' + cell.free + ' free; ' +
      (cell.state === 'open' ? openWords(cell) : cell.state) + '; erased ' + cell.erases + '×; ' + this.recording.diesText(block);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const inControl = ['BUTTON', 'SELECT', 'INPUT'].includes(event.target.tagName);
    const act = (event.target === this.part('.grid') && this.gridKeys()[event.key]) || this.keys(inControl)[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  // Buttons, lists and the slider keep their own keys.
  keys(inControl) {
    const always = {w: () => this.colourBy(this.colouring === 'wear' ? 'pages' : 'wear'), k: () => this.toggle()};
    if (inControl) return always;
    return Object.assign(always, {
      ' ': () => this.toggle(),
      ArrowLeft: () => this.pauseAt(this.picture - 1), ArrowRight: () => this.pauseAt(this.picture + 1),
      Home: () => this.pauseAt(0), End: () => this.pauseAt(this.recording.pictures - 1)
    });
  }

  go(by) { this.choose(this.grid.neighbour(this.chosen, by)); }
  gridKeys() {
    return {
      ArrowLeft: () => this.go(-1), ArrowRight: () => this.go(1),
      ArrowUp: () => this.go(-this.grid.columns), ArrowDown: () => this.go(this.grid.columns)
    };
  }
}

function legendEntry(text, draw) {
  const entry = document.createElement('span'), canvas = document.createElement('canvas');
  canvas.width = canvas.height = 36;
  canvas.style.width = canvas.style.height = '18px';
  const context = canvas.getContext('2d');
  context.scale(2, 2);
  draw(context);
  context.setTransform(2, 0, 0, 2, 0, 0);
  context.setLineDash([]);
  entry.append(canvas, text);
  return entry;
}

// The section that contains this script.
const here = document.currentScript.closest('.drive-at-work');
here.driveAtWork = new View(here);
