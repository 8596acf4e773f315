import { call, segment } from "./api.js";
import { h, write } from "./dom.js";
import { ask, isGuest, say } from "./store.js";
import { texts } from "./texts.js";

/** What a room's sound goes through, for the dialog of a room: which sides it plays, its equaliser, and all of it as text. */
export function soundSettings() {
  let room = null;
  const sides = h("select", { onchange: () => put("channels", sides.value), "aria-label": texts.sound.channels },
    ...Object.entries(texts.sound.sides).map(([value, text]) => h("option", { value }, text)));
  const filters = h("input", { type: "text", placeholder: "peak 62 -5 4; highshelf 8000 -2", "aria-label": texts.sound.eq, maxlength: "4096" });
  const chain = h("pre", { class: "chain" });
  const note = h("p", { class: "quiet", role: "status" });
  const element = h("details", { class: "sound", ontoggle: () => element.open && read() },
    h("summary", {}, texts.sound.title),
    h("label", {}, texts.sound.channels, sides),
    h("form", { onsubmit: event => { event.preventDefault(); put("eq", filters.value.trim() || "off"); } },
      h("label", {}, texts.sound.eq, filters), h("button", { type: "submit" }, texts.sound.set)),
    chain, note,
    h("button", { type: "button", onclick: () => put("chain", "off") }, texts.sound.off));

  function show(effects) {
    write(chain, effects.chain.join("\n") || texts.sound.none);
    write(note, effects.chain.length ? texts.sound.cost(effects.latencyMs, effects.load * 100) : "");
    const line = effects.chain.find(line => line.startsWith("channels "));
    sides.value = [...sides.options].some(option => `channels ${option.value}` === line) ? line.slice(9) : "stereo";
    filters.value = effects.chain.find(line => line.startsWith("eq "))?.slice(3) ?? "";
  }

  async function read() {
    const asked = room;
    try {
      const effects = await call("GET", `/rooms/${segment(asked)}/effects`);
      if (asked === room) show(effects);
    } catch (problem) {
      if (asked === room) write(note, problem.message);
    }
  }

  async function put(edit, setting) {
    const effects = await ask("PUT", `/rooms/${segment(room)}/effects`, { edit, setting });
    if (effects?.chain) show(effects);
    else read();
    if (effects?.chain) say(texts.sound.heard(room));
  }

  return {
    element,
    /** Shows another room's. */
    open(name) {
      room = name;
      element.open = false;
      element.hidden = isGuest();
    },
  };
}
