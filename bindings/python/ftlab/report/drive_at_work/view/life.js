// One superblock between two erases: when it was opened, filled, collected and erased.

class Life {
  constructor(recording, picture, block) {
    this.recording = recording;
    this.block = block;
    const erasesAt = p => recording.cell(p, block).erases;
    const erases = erasesAt(picture);
    this.first = picture;
    this.last = picture;
    while (this.first > 0 && erasesAt(this.first - 1) === erases) --this.first;
    while (this.last + 1 < recording.pictures && erasesAt(this.last + 1) === erases) ++this.last;
    this.ends = this.last + 1 < recording.pictures;  // by an erase within the recording
  }

  firstOf(is) {
    for (let picture = this.first; picture <= this.last; ++picture)
      if (is(this.recording.cell(picture, this.block))) return picture;
    return -1;
  }

  // [{picture, text}] in chronological order.
  events() {
    const at = picture => this.recording.timeOf(picture).toFixed(this.recording.everyS < 0.1 ? 3 : 2) + ' s';
    const opened = this.firstOf(cell => cell.state !== 'free');
    const full = this.firstOf(cell => cell.state === 'closed');
    const collected = this.firstOf(cell => cell.state === 'collecting' || cell.state === 'emptied');
    const events = [];
    if (opened > this.first || (opened === 0 && this.recording.cell(0, this.block).state === 'open'))
      events.push({picture: opened, text: 'opened at ' + at(opened)});
    if (full > opened) events.push({picture: full, text: 'full at ' + at(full)});
    if (collected > 0) {
      const before = this.recording.cell(collected - 1, this.block).valid;
      events.push({picture: collected, text: 'collected at ' + at(collected) + ' with ' + before + ' pages still valid'});
    }
    if (this.ends) {
      const left = this.recording.cell(this.last, this.block).valid;
      const unseen = collected > 0 ? '' : 'collected with about ' + left + ' pages still valid and ';
      events.push({picture: this.last + 1, text: unseen + 'erased by ' + at(this.last + 1)});
    }
    return events;
  }

  // Two sentences: the current state, and the history since the last erase.
  text(picture) {
    const cell = this.recording.cell(picture, this.block);
    const words = {free: 'erased and free', open: openWords(cell), closed: 'full', collecting: 'being collected',
                   emptied: 'copied, about to be erased', retired: 'retired'};
    const past = [], future = [];
    for (const event of this.events()) (event.picture <= picture ? past : future).push(event.text);
    const times = cell.erases === 1 ? 'once' : cell.erases + ' times';
    const erases = cell.erases === 0 ? 'never erased so far' : 'erased ' + times + ' so far';
    return 'Block ' + this.block + ' is ' + words[cell.state] + ': ' + cell.valid + ' pages valid, ' + cell.stale +
      ' stale, ' + cell.free + ' free; ' + erases + '. ' + (past.length > 0 ? capital(past.join(', ')) + '. ' : '') +
      (future.length > 0 ? 'Later: ' + future.join(', ') + '.' : '');
  }
}

function openWords(cell) {
  if (takesHost(cell)) return takesCopies(cell) ? 'open for the host and for copies' : 'open for the host';
  return cell.takes === 'relocation' ? 'open for copies' : 'open for ' + cell.takes;
}
