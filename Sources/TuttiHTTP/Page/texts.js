/** All words of the page, in one place, so that another language is another file. */
export const texts = {
  skip: "Skip to the player",
  groups: "Groups",
  wall: "Wall view",
  leaveWall: "Leave the wall view",

  nothingPlays: "Nothing plays",
  nothingPlaysHint: "Add a track below, or play from any computer of the household.",
  noService: "The service does not answer. This page tries again by itself.",
  connecting: "Connecting…",

  states: {
    starting: "starting", playing: "playing", paused: "paused", buffering: "buffering", ended: "ended",
    stopped: "stopped",
  },
  play: "Play", pause: "Pause", previous: "Previous", next: "Next", stop: "Stop",
  position: "Position",
  positionOf: (at, of) => `${at} of ${of}`,
  held: minutes => `The rooms hold ${minutes} ahead`,
  groupVolume: "Volume of the group",
  groupVolumeHint: "The rooms keep their balance",
  sleep: "Sleep timer",
  sleepOff: "Sleep: off",
  sleepIn: minutes => `Sleep: ${minutes} min`,
  sleepLeft: minutes => `Stops in ${minutes} min`,

  rooms: "Rooms",
  otherRooms: "Other rooms",
  noRooms: "No rooms are known yet. Start tutti-speaker on a computer with loudspeakers.",
  room: {
    volume: room => `Volume of ${room}`,
    mute: room => `Mute ${room}`,
    unmute: room => `Unmute ${room}`,
    leave: room => `Take ${room} out of the group`,
    join: room => `Add ${room} to the group`,
    health: room => `Is ${room} in step?`,
    states: {
      connecting: "connecting", unreachable: "does not answer", taken: "plays for somebody else", idle: "quiet",
      preparing: "getting ready", primed: "ready", playing: "playing", paused: "paused", stalled: "waiting for audio",
      ended: "ended", "lost-device": "its sound card is gone",
    },
    drop: "Drop a room here to add it to the group",
  },

  health: {
    title: room => `${room}: is it in step?`,
    yes: "In step.", nearly: "Nearly in step.", no: "Not in step.", unknown: "Nothing plays here now.",
    plot: "The last two minutes: off by now (line), and the bound of 99 % of the sound (band)",
    within: "99 % of its sound is within", now: "Off by now", buffered: "Audio held", stalls: "Ran out of audio",
    xruns: "Sound card ran dry", clock: "Clock known to", trip: "Clock round trip", card: "Card against clock",
    format: "Card", codec: "On the wire", delay: "Output delay", address: "Address", close: "Close",
    times: n => (n === 1 ? "once" : `${n} times`), never: "never",
  },

  sound: {
    title: "Sound of the room", channels: "Plays", eq: "Equaliser", set: "Set", off: "Turn all effects off",
    none: "No effects", heard: room => `${room} sounds as set`,
    cost: (delay, load) => `${delay.toFixed(1)} ms of delay, made up for; ${load.toFixed(1)} % of a processor`,
    sides: { stereo: "both sides", left: "the left side", right: "the right side", mono: "both sides mixed", swap: "sides exchanged" },
  },

  queue: "Queue",
  emptyQueue: "The queue is empty.",
  entryHint: "Alt with the arrow keys moves a track.",
  jump: title => `Play ${title}`,
  remove: title => `Remove ${title}`,
  move: title => `Move ${title}`,
  moved: (title, place) => `${title} is number ${place} now`,
  shuffle: "Shuffle", consume: "Remove what has played", clear: "Clear",
  repeat: { label: "Repeat", off: "Repeat: off", all: "Repeat: all", one: "Repeat: one" },
  crossfade: { label: "Crossfade", off: "Crossfade: off", seconds: s => `Crossfade: ${s} s` },
  normalise: {
    label: "Loudness", off: "Loudness: as it is", track: "Loudness: equal tracks", album: "Loudness: equal albums",
  },
  night: "Night mode",
  add: "Add", addNext: "Play next", playNow: "Play now",
  address: "Address or file of a track, a folder or a playlist",

  files: {
    title: "Files on their way",
    add: "Add files", drop: "or drop them here",
    say: "Announce a file", choose: "Choose a file",
    progress: name => `How much of ${name} is there`,
    cancel: name => `Do not send ${name}`,
    added: name => `${name} is in the queue`,
    tooLarge: name => `${name} is larger than 1 GiB`,
    broken: name => `${name} could not be sent`,
  },
  voice: {
    title: "Announcement by microphone",
    record: "Record an announcement", stop: "Stop recording", say: "Announce it", discard: "Discard",
    listen: "The recording", recording: time => `Recording, ${time}`,
    name: "announcement",
    refused: "This page may not use the microphone. Allow it in the browser's settings for this page.",
    failed: "There is no microphone that could be used.",
  },

  guest: (group, until) => `You are a guest of ${group}${until ? ` until ${until}` : ""}.`,

  later: "Alarms and announcements", announcements: "Announcements",
  say: "Announce", said: "The rooms play the announcement", sayAddress: "Address or file of an announcement",
  alarm: { when: "When", whenHint: "07:00, mon-fri 06:30, in 20 min", what: "What", where: "Rooms", make: "Set alarm",
    cancel: when => `Cancel the alarm ${when}`, none: "No alarms are set.", fade: "Begin quietly" },

  token: {
    title: "This page needs a token",
    hint: "Somebody of the household makes one with: tutti token new phone --scope control",
    label: "Token", use: "Use it", wrong: "This token is not known here.",
  },
  failed: "That did not work.",
};
