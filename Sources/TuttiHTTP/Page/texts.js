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
  live: "Live",
  backToLive: late => `${late} late · back to live`,
  held: minutes => `The rooms hold ${minutes} ahead`,
  groupVolume: "Volume of the group",
  groupVolumeHint: "The rooms keep their balance",
  sleep: "Sleep timer",
  sleepOff: "Sleep: off",
  sleepIn: minutes => `Sleep: ${minutes} min`,
  sleepLeft: minutes => `Stops in ${minutes} min`,

  tracks: {
    audio: "Audio track", audioAuto: "Sound: as the film suggests",
    sound: (name, channels) => `Sound: ${name}${channels > 2 ? ` (${channels} channels)` : ""}`,
    subtitle: "Subtitles", subtitleOff: "Subtitles: off", subtitleAuto: "Subtitles: as the film suggests",
    words: name => `Subtitles: ${name}`, forced: name => `${name} (foreign speech only)`,
    chapter: "Chapter", chapterAt: (at, title) => `${at} ${title}`, number: number => `number ${number}`,
  },

  rooms: "Rooms",
  otherRooms: "Other rooms",
  noRooms: "No rooms are known yet. Start tutti-speaker on a computer with loudspeakers.",
  room: {
    volume: room => `Volume of ${room}`,
    mute: room => `Mute ${room}`,
    unmute: room => `Unmute ${room}`,
    leave: room => `Take ${room} out of the group`,
    join: room => `Add ${room} to the group`,
    screen: "screen",
    health: room => `${room}: is it in step, and its sound`,
    states: {
      connecting: "connecting", unreachable: "does not answer", taken: "plays for somebody else", idle: "quiet",
      preparing: "getting ready", primed: "ready", playing: "playing", paused: "paused", stalled: "waiting for audio",
      ended: "ended", "lost-device": "its sound card is gone",
    },
    drop: "Drop a room here to add it to the group",
  },

  health: {
    title: room => room,
    yes: "In step.", nearly: "Nearly in step.", no: "Not in step.", unknown: "Nothing plays here now.",
    plot: "The last two minutes: off by now (line), and the bound of 99 % of the sound (band)",
    within: "99 % of its sound is within", now: "Off by now", buffered: "Audio held", stalls: "Ran out of audio",
    xruns: "Sound card ran dry", clock: "Clock known to", trip: "Clock round trip", card: "Card against clock",
    format: "Card", codec: "On the wire", delay: "Output delay", address: "Address", close: "Close",
    times: n => (n === 1 ? "once" : `${n} times`), never: "never",
  },

  stations: {
    title: "Radio", add: "Add a station", name: "Name", address: "Address (http:// or https://)", keep: "Add",
    remove: name => `Remove the station ${name}`,
  },

  library: {
    title: "Library", search: "Search titles, albums, artists", view: "What is shown", back: "Back", more: "Show more",
    views: {
      artist: "Albums by artist", title: "Albums by title", year: "Albums by year", newest: "Newest albums",
      lately: "Lately played", artists: "Artists", genres: "Genres", composers: "Composers", years: "Years",
      favourites: "Favourites",
    },
    now: "Play now", next: "Play next", end: "Add at the end",
    tracks: n => (n === 1 ? "1 track" : `${n} tracks`),
    play: title => `Play ${title}`, add: title => `Add ${title} at the end`, favourite: title => `Favourite: ${title}`,
    added: title => `${title} is in the queue`, nothing: "Nothing found.", empty: "Nothing is here yet.",
    away: "These files can't be read now.", noGroup: "Make a group first, or play in a room.",
  },

  playlists: {
    title: "Playlists", save: "Save the queue", name: "Name", keep: "Save",
    kept: name => `The queue is kept as ${name}`, remove: name => `Remove the playlist ${name}`,
    tracks: n => (n === 1 ? "1 track" : `${n} tracks`),
  },

  sound: {
    title: "Sound of the room",
    hint: "The room keeps these settings, whoever plays here. You hear a change at once.",
    channels: "This room plays", channelsHint: "What of the music comes out of its loudspeakers.",
    sides: {
      stereo: "both sides", left: "the left side", right: "the right side", mono: "both sides mixed",
      swap: "sides exchanged", sub: "the bass only (subwoofer)",
    },
    other: "something set by text",
    tone: "Tone", bass: "Bass", treble: "Treble", toneHint: "In the middle, the sound stays as it is.",
    gain: gain => `${gain > 0 ? "+" : gain < 0 ? "−" : ""}${Math.abs(gain)} dB`,
    byText: "The equaliser is set by text, under “For experts”. Empty it there to use bass and treble.",
    file: "Room correction", choose: "Choose a file", remove: "Remove it",
    fileHint: "A file from a measuring program: an impulse response (WAV, FLAC), or filters of Room EQ Wizard, AutoEq, "
      + "Equalizer APO or CamillaDSP. Filters replace everything that is set here.",
    tooLarge: name => `${name} is larger than 32 MiB`,
    trying: name => `Trying ${name} …`, uses: name => `Uses ${name}`, impulse: "an impulse response",
    pair: "Stereo pair", pairWith: "Stereo pair with",
    pairHint: "One room plays the left side and the other one the right side. Play music in both.",
    left: "This room is left", right: "This room is right", noPair: "No pair",
    expert: "For experts", eq: "Equaliser as text", set: "Set",
    eqHint: "Kind, frequency (Hz), gain (dB) and Q of each filter: peak 62 -5 4; highshelf 8000 -2. Empty for none.",
    chain: "Everything that the sound goes through, in order", none: "No effects",
    cost: (delay, load) => `${delay.toFixed(1)} ms of delay, made up for; ${load.toFixed(1)} % of a processor`,
    off: "Turn everything off", heard: room => `${room} sounds as set now`,
  },

  queue: "Queue",
  emptyQueue: "The queue is empty.",
  entryHint: "Alt with the arrow keys moves a track.",
  jump: title => `Play ${title}`,
  remove: title => `Remove ${title}`,
  move: title => `Move ${title}`,
  moved: (title, place) => `${title} is number ${place} now`,
  shuffle: "Shuffle", consume: "Remove what has played", clear: "Clear",
  repeat: { label: "Repeat", off: "Repeat: off", all: "Repeat: all", one: "Repeat: one", single: "Stop after each track" },
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
