import { call, segment } from "./api.js";

/** What the page knows, and who wants to hear when that changes. */
export const store = {
  groups: [],
  rooms: [],
  queues: new Map(),
  schedules: [],
  stations: [],
  playlists: [],
  /** How much music there is. */
  music: null,
  chosen: localStorage.getItem("tutti-group"),
  /** What this browser may do: `group` and `until` of a guest, who has one group only. */
  access: {},
  isConnected: false,
  isServed: true,
  problem: null,
};

const watchers = [];
let isDue = false;

export function watch(show) {
  watchers.push(show);
}

/** Lets everybody show what is known, once for each frame. */
export function changed() {
  if (isDue) return;
  isDue = true;
  requestAnimationFrame(() => {
    isDue = false;
    for (const show of watchers) show();
  });
}

export const same = (a, b) => a !== undefined && b !== undefined && a.localeCompare(b, undefined, { sensitivity: "base" }) === 0;

/** The group that the page shows: the chosen one, else one that plays. */
export function group() {
  return store.groups.find(group => group.name === store.chosen)
    ?? store.groups.find(group => group.status?.state === "playing")
    ?? store.groups.find(group => group.status)
    ?? store.groups[0];
}

/** Whether this browser's token is for one group only. */
export const isGuest = () => store.access.group !== undefined;

export function choose(name) {
  store.chosen = name;
  localStorage.setItem("tutti-group", name);
  readQueue(name);
  changed();
}

// What somebody has just set is shown at once, and until the service has said it too: at most for this long.
const trust = 2_000;
const wishes = new Map();

/** Shows `value` for `key` until the service's word of it is new. */
export function wish(key, value) {
  wishes.set(key, { value, until: performance.now() + trust });
  changed();
}

/** What to show for `key`: what was wished a moment ago, or else what is told. */
export function shown(key, told) {
  const wished = wishes.get(key);
  if (!wished) return told;
  if (wished.value === told || performance.now() > wished.until) {
    wishes.delete(key);
    return told;
  }
  return wished.value;
}

export function forgetWish(key) {
  wishes.delete(key);
  changed();
}

// MARK: Reading

export async function readAll() {
  store.access = await call("GET", "/access");
  await Promise.all([readGroups(), readRooms(), ...(isGuest() ? [] : [readSchedules(), readStations(), readPlaylists(), readMusic()])]);
  const shownGroup = group();
  if (shownGroup) await readQueue(shownGroup.name);
}

export async function readGroups() {
  const { groups } = await call("GET", "/groups");
  for (const group of groups) stamp(group.status);
  store.groups = groups;
  changed();
}

export async function readRooms() {
  store.rooms = (await call("GET", "/rooms")).rooms;
  changed();
}

export async function readSchedules() {
  store.schedules = (await call("GET", "/schedules")).schedules;
  changed();
}

export async function readStations() {
  store.stations = (await call("GET", "/stations")).stations;
  changed();
}

export async function readPlaylists() {
  store.playlists = (await call("GET", "/playlists")).playlists;
  changed();
}

export async function readMusic() {
  store.music = await call("GET", "/library");
  changed();
}

export async function readQueue(name) {
  try {
    store.queues.set(name, await call("GET", `/groups/${segment(name)}/queue`));
  } catch (error) {
    if (!error.status) throw error;
    store.queues.delete(name);
  }
  changed();
}

/** Notes when a status came, for its position moves on. */
function stamp(status) {
  if (status) status.at = performance.now();
}

/** Seconds into the track now. */
export function position(status) {
  if (!status) return 0;
  const moved = status.state === "playing" ? ((performance.now() - status.at) / 1000) * status.rate : 0;
  return Math.min(status.position + moved, status.item?.duration ?? Infinity);
}

/** Seconds that what is heard is behind what is live now; undefined for what has an end. */
export function behind(status) {
  if (status?.behind === undefined) return undefined;
  return status.behind + (status.state === "playing" ? 0 : (performance.now() - status.at) / 1000);
}

// MARK: Events

// Figures of each room, for the plot: two minutes of them, one for each progress event.
const mostFigures = 240;
export const figures = new Map();

function remember(room) {
  if (room.syncErrorP99Us === undefined) return;
  const list = figures.get(room.name) ?? [];
  list.push({ at: performance.now(), p99: room.syncErrorP99Us, now: room.syncErrorUs ?? 0 });
  if (list.length > mostFigures) list.shift();
  figures.set(room.name, list);
}

/** Carries an event into what is known. */
export function apply(name, data) {
  const group = store.groups.find(group => same(group.name, data.group ?? data.status?.group));
  switch (name) {
    case "reset":
      store.isServed = true;
      return readAll();
    case "service":
      store.isServed = data.running;
      return data.running ? readAll() : changed();
    case "progress":
      store.isServed = true;
      if (!group) return readGroups();
      stamp(data.status);
      group.status = data.status;
      data.status.rooms.forEach(remember);
      return changed();
    case "state":
      if (!group?.status) return readGroups();
      group.status = { ...group.status, position: position(group.status), state: data.state };
      stamp(group.status);
      return changed();
    case "item":
      if (group?.status) {
        const goesOn = group.status.item?.id === data.item.id;
        group.status = { ...group.status, item: data.item, position: goesOn ? position(group.status) : 0 };
        stamp(group.status);
      }
      changed();
      return group ? readQueue(group.name) : undefined;
    case "changed":
      if (data.what === "queue" && group) return readQueue(group.name);
      if (data.what === "schedules") return isGuest() ? undefined : readSchedules();
      if (data.what === "stations") return isGuest() ? undefined : readStations();
      if (data.what === "playlists") return isGuest() ? undefined : readPlaylists();
      if (data.what === "library") return isGuest() ? undefined : readMusic();
      if (data.what === "rooms") return readRooms();
      return Promise.all([readGroups(), readRooms()]);
    case "room":
      return readGroups();
    case "finished":
      return Promise.all([readGroups(), readRooms()]);
    case "itemFailed":
    case "notice":
      say(data.message);
      return undefined;
  }
}

// MARK: Words for people

const listeners = [];
export const hearWords = listener => listeners.push(listener);
export function say(text) {
  for (const listener of listeners) listener(text);
}

/** Asks the service; a problem is told to the person. Returns the answer, or undefined. */
export async function ask(method, path, body) {
  try {
    return await call(method, path, body);
  } catch (error) {
    say(error.message);
    return undefined;
  }
}

/** Sends the newest value, one request at a time however fast a finger moves a slider; `send` asks the service. */
export function newest(send) {
  let waiting = null;
  let isSending = false;
  return async value => {
    waiting = value;
    if (isSending) return;
    isSending = true;
    while (waiting !== null) {
      const sent = waiting;
      waiting = null;
      await send(sent);
    }
    isSending = false;
  };
}

/** Seconds that are held ahead of `now`, in one of these ranges. */
export function ahead(ranges, now) {
  const range = ranges?.find(([from, to]) => from <= now + 1 && to > now);
  return range ? range[1] - now : 0;
}

/** As `ask`, about a group: `askGroup("POST", "pause")`. */
export const askGroup = (method, path, body, name = group()?.name) =>
  name === undefined ? undefined : ask(method, `/groups/${segment(name)}/${path}`, body);
