import { call, Problem, segment, sendFile } from "./api.js";
import { h, write } from "./dom.js";
import { fileButton } from "./files.js";
import { isGuest, newest, same, store } from "./store.js";
import { texts } from "./texts.js";

const words = texts.sound;
/** The filters of the tone controls, by their words; the last word is the gain. */
const shelves = ["lowshelf 100", "highshelf 8000"];
const most = 10;
/** Milliseconds between two changes by a slider: a speaker does not let one host in more often at length. */
const pause = 300;
/** Bytes of a file that the service takes for a room's sound. */
const mostBytes = 2 ** 25;

/** What the equalisers of a chain are as tone controls: two gains, or null if they are more than that. */
function tones(chain) {
  const lines = chain.filter(line => line.startsWith("eq "));
  const gains = [0, 0];
  const seen = new Set();
  for (const filter of lines.length ? lines[0].slice(3).split("; ") : []) {
    const [, shelf, gain] = filter.match(/^(.*) (-?\d+)$/) ?? [];
    const place = shelves.indexOf(shelf);
    if (lines.length > 1 || place < 0 || seen.has(place) || Math.abs(gain) > most) return null;
    seen.add(place);
    gains[place] = Number(gain);
  }
  return gains;
}

/** Which sides a chain has a room play; undefined for what only a text can say. */
function sides(chain) {
  const crossover = chain.find(line => line.startsWith("crossover "))?.split(" ");
  const side = chain.find(line => line.startsWith("channels "))?.slice(9) ?? "stereo";
  if (crossover?.[1] === "low") return side === "mono" ? "sub" : undefined;
  return side in words.sides ? side : undefined;
}

/** What people call the impulse response of a chain; undefined without one. */
function impulse(chain) {
  const line = chain.find(line => line.startsWith("convolve "));
  const name = line?.match(/ name=("(?:[^"\\]|\\.)*"|\S+)/)?.[1];
  return name?.replace(/^"|"$/g, "").replace(/\\(.)/g, "$1") ?? (line && words.impulse);
}

/** What a room's sound goes through, for the dialog of a room. */
export function soundSettings() {
  let room = null;
  let known = { chain: [] };
  /** Gains of the sliders that are not set yet, and are shown before what is known. */
  let wished = null;
  /** How often something was changed: what was read before that is old. */
  let changes = 0;
  const faults = [];

  /** A part with a title, its controls, a line that explains them, and one for what went wrong. */
  function part(title, hint, ...controls) {
    const fault = h("p", { class: "fault", role: "alert" });
    const explained = h("p", { class: "quiet" }, hint);
    faults.push(fault);
    return { element: h("div", { class: "part", role: "group", "aria-label": title }, ...controls, explained, fault), explained, fault };
  }

  const side = h("select", { onchange: () => put(channels, "channels", setting(side.value)) },
    ...Object.entries(words.sides).map(([value, text]) => h("option", { value }, text)),
    h("option", { value: "", disabled: true, hidden: true }, words.other));
  const channels = part(words.channels, words.channelsHint, h("label", {}, h("b", {}, words.channels), side));

  const partner = h("select", {});
  const pairButton = (text, isLeft, method = "PUT") =>
    h("button", { type: "button", onclick: () => makePair(isLeft, method) }, text);
  const pair = part(words.pair, words.pairHint, h("label", {}, h("b", {}, words.pairWith), partner),
    h("div", { class: "row" }, pairButton(words.left, true), pairButton(words.right, false), pairButton(words.noPair, true, "DELETE")));

  const sliders = [words.bass, words.treble].map(title => {
    const value = h("output");
    const input = h("input", { type: "range", min: -most, max: most, step: "1", oninput: tune });
    return { input, value, element: h("label", { class: "tone" }, h("b", {}, title), input, value) };
  });
  const tone = part(words.tone, words.toneHint, ...sliders.map(slider => slider.element));

  const file = h("span", { class: "name" });
  const remove = h("button", { type: "button", onclick: () => put(correction, "convolve", "off") }, words.remove);
  const correction = part(words.file, words.fileHint, h("b", {}, words.file),
    h("div", { class: "row" }, fileButton(words.choose, ([chosen]) => send(chosen), { accept: null }), file, remove));

  const filters = h("input", { type: "text", maxlength: "4096", autocapitalize: "none", spellcheck: "false" });
  const equaliser = part(words.eq, words.eqHint, h("form", {
    class: "row",
    onsubmit: event => {
      event.preventDefault();
      put(equaliser, "eq", filters.value.trim() || "off", { resets: false });
    },
  }, h("label", {}, h("b", {}, words.eq), filters), h("button", { type: "submit" }, words.set)));
  const chain = h("pre", { class: "chain" });
  const cost = h("p", { class: "quiet" });

  const note = h("p", { class: "quiet", role: "status" });
  const off = h("button", { type: "button", onclick: () => put(all, "chain", "off") }, words.off);
  const all = part(words.off, "", h("div", { class: "row" }, off, note));
  const element = h("details", { class: "sound", ontoggle: () => element.open && read() },
    h("summary", {}, words.title), h("p", { class: "quiet" }, words.hint),
    tone.element, channels.element, pair.element, correction.element,
    h("details", { class: "part" }, h("summary", {}, words.expert), equaliser.element, h("b", {}, words.chain), chain, cost),
    all.element);

  function show(effects) {
    known = effects;
    const lines = effects.chain;
    write(chain, lines.join("\n") || words.none);
    write(cost, lines.length ? words.cost(effects.latencyMs, effects.load * 100) : "");
    side.value = sides(lines) ?? "";
    filters.value = lines.filter(line => line.startsWith("eq ")).map(line => line.slice(3)).join("; ");
    showTones(wished ?? tones(lines));
    const name = impulse(lines);
    write(file, name ? words.uses(name) : "");
    remove.hidden = !name;
    off.disabled = !lines.length;
  }

  function showTones(gains) {
    sliders.forEach(({ input, value }, index) => {
      input.disabled = !gains;
      input.value = gains?.[index] ?? 0;
      write(value, gains ? words.gain(gains[index]) : "–");
      input.setAttribute("aria-valuetext", value.textContent);
    });
    write(tone.explained, gains ? words.toneHint : words.byText);
  }

  /** Sends the gains that the sliders have now, until those that came last are set. */
  function tune() {
    wished = sliders.map(({ input }) => Number(input.value));
    showTones(wished);
    sendTones(wished);
  }
  const sendTones = newest(async gains => {
    const filters = shelves.flatMap((shelf, index) => (gains[index] ? [`${shelf} ${gains[index]}`] : []));
    const done = () => wished === gains && (wished = null);
    await put(tone, "eq", filters.join("; ") || "off", { done });
    await new Promise(done => setTimeout(done, pause));
  });

  /** A choice of sides leaves a room its crossover to a subwoofer elsewhere. */
  function setting(value) {
    const above = known.chain.find(line => line.startsWith("crossover high "))?.split(" ")[2];
    return above && value !== "sub" ? `${value} above ${above}` : value;
  }

  const put = (part, edit, setting, more) =>
    change(part, () => call("PUT", `/rooms/${segment(room)}/effects`, { edit, setting }), more);

  function makePair(isLeft, method) {
    const rooms = isLeft ? [room, partner.value] : [partner.value, room];
    return change(pair, async () => {
      const answer = await call(method, `/stereo-pairs/${rooms.map(segment).join("/")}`);
      return answer.rooms[isLeft ? 0 : 1];
    });
  }

  function send(chosen) {
    write(file, words.trying(chosen.name));
    const path = `/rooms/${segment(room)}/effects/file`;
    return change(correction, () => {
      if (chosen.size > mostBytes) throw new Problem(413, words.tooLarge(chosen.name));
      return sendFile(chosen, () => {}, new AbortController().signal, "PUT", path);
    });
  }

  /** Has the service change something, and shows how the room stands then, or beside the part why it was not done. */
  async function change(part, request, { asked = room, done = () => {}, resets = true } = {}) {
    changes += 1;
    for (const fault of faults) write(fault, "");
    write(note, "");
    let problem;
    const effects = await Promise.resolve().then(request).catch(error => void (problem = error));
    done();
    if (asked !== room) return;
    if (!problem) {
      show(effects);
      write(note, words.heard(room));
    } else {
      if (resets) show(known);
      write(part.fault, problem.message);
    }
  }

  async function read() {
    const [asked, before] = [room, changes];
    const isNew = () => asked === room && before === changes;
    try {
      const effects = await call("GET", `/rooms/${segment(asked)}/effects`);
      if (isNew()) show(effects);
    } catch (problem) {
      if (isNew()) write(all.fault, problem.message);
    }
  }

  return {
    element,
    /** Shows another room's. */
    open(name) {
      room = name;
      wished = null;
      element.open = false;
      element.hidden = isGuest();
      for (const fault of [...faults, note]) write(fault, "");
      const others = store.rooms.map(other => other.name).filter(other => !same(other, name));
      partner.replaceChildren(...others.map(other => h("option", { value: other }, other)));
      pair.element.hidden = !others.length;
      show({ chain: [] });
    },
  };
}
