import { clock, h, write } from "./dom.js";
import { say } from "./store.js";
import { texts } from "./texts.js";

const words = texts.voice;
/** Seconds of an announcement. */
const longest = 120;
/** What browsers record, and what the file is called; the first that this one knows is taken. */
const kinds = [["audio/webm;codecs=opus", "webm"], ["audio/ogg;codecs=opus", "ogg"], ["audio/mp4", "m4a"]];

/** Whether this browser lets this page use a microphone. */
export const canRecord = () => Boolean(window.isSecureContext && navigator.mediaDevices?.getUserMedia && window.MediaRecorder);

/** Records an announcement: `use(file)` gets it when the person has heard enough. */
export function recorder(use) {
  const record = h("button", { type: "button", onclick: begin }, words.record);
  const stop = h("button", { type: "button", onclick: () => recording?.recorder.stop() }, words.stop);
  const time = h("span", { class: "quiet", role: "timer" });
  const player = h("audio", { controls: true, "aria-label": words.listen });
  const send = h("button", { type: "button", onclick: () => { use(taken); leave(); } }, words.say);
  const discard = h("button", { type: "button", onclick: leave }, words.discard);
  const element = h("div", { class: "row voice", role: "group", "aria-label": words.title }, record, stop, time, player, send, discard);
  let [recording, taken] = [null, null];
  show();

  function show() {
    record.hidden = Boolean(recording || taken);
    stop.hidden = time.hidden = !recording;
    player.hidden = send.hidden = discard.hidden = !taken;
  }

  async function begin() {
    record.disabled = true;
    try {
      const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
      const [type, ending] = kinds.find(([type]) => MediaRecorder.isTypeSupported(type)) ?? ["", "webm"];
      const parts = [];
      const recorder = new MediaRecorder(stream, type ? { mimeType: type } : {});
      recorder.ondataavailable = event => parts.push(event.data);
      recorder.onstop = () => end(stream, parts, recorder.mimeType, ending);
      recorder.start();
      const from = performance.now();
      const tick = () => {
        const seconds = (performance.now() - from) / 1000;
        write(time, words.recording(clock(seconds)));
        if (seconds > longest) recorder.stop();
      };
      recording = { recorder, timer: setInterval(tick, 250) };
      tick();
      show();
      stop.focus();
    } catch (error) {
      say(error.name === "NotAllowedError" ? words.refused : words.failed);
    } finally {
      record.disabled = false;
    }
  }

  function end(stream, parts, type, ending) {
    clearInterval(recording.timer);
    for (const track of stream.getTracks()) track.stop();
    recording = null;
    taken = new File(parts, `${words.name}.${ending}`, { type });
    player.src = URL.createObjectURL(taken);
    show();
    send.focus();
  }

  function leave() {
    URL.revokeObjectURL(player.src);
    player.removeAttribute("src");
    taken = null;
    show();
    record.focus();
  }

  return element;
}
