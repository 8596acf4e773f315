import { texts } from "./texts.js";

/** Why the service did not do what it was asked, in a line for people. */
export class Problem extends Error {
  constructor(status, detail) {
    super(detail || texts.failed);
    this.status = status;
  }
}

const storage = "tutti-token";

/** The token of this browser. A link with `#token=…` brings one, as the QR code of `tutti token new` does. */
let token = takeToken();

function takeToken() {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given) {
    localStorage.setItem(storage, given);
    // The address bar and its history keep no secret.
    history.replaceState(null, "", location.pathname);
  }
  return localStorage.getItem(storage);
}

export function useToken(text) {
  token = text;
  localStorage.setItem(storage, text);
}

function headers(more = {}) {
  return token ? { ...more, Authorization: `Bearer ${token}` } : more;
}

const prefix = "/api/v1";

/** Asks the service; the answer's JSON, or null without one. Throws a Problem. */
export async function call(method, path, body) {
  let answer;
  try {
    answer = await fetch(prefix + path, {
      method,
      headers: headers(body === undefined ? {} : { "Content-Type": "application/json" }),
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new Problem(0, texts.noService);
  }
  if (answer.status === 204) return null;
  const value = await answer.json().catch(() => null);
  if (!answer.ok) throw new Problem(answer.status, value?.detail);
  return value;
}

/** Sends a file, to be given as an input after that, or for what `path` does; tells how far it is, from 0 to 1. Throws a Problem. */
export function sendFile(file, progress, signal, method = "POST", path = "/uploads") {
  return new Promise((resolve, reject) => {
    // fetch tells nobody how much has gone.
    const request = new XMLHttpRequest();
    request.open(method, `${prefix}${path}?name=${encodeURIComponent([...file.name].slice(-200).join(""))}`);
    for (const [name, value] of Object.entries(headers())) request.setRequestHeader(name, value);
    request.setRequestHeader("Content-Type", file.type.startsWith("audio/") ? file.type : "application/octet-stream");
    request.responseType = "json";
    request.upload.onprogress = event => event.lengthComputable && progress(event.loaded / event.total);
    request.onload = () =>
      request.status >= 200 && request.status < 300 ? resolve(request.response) : reject(new Problem(request.status, request.response?.detail));
    request.onerror = () => reject(new Problem(0, texts.files.broken(file.name)));
    request.onabort = () => reject(new Problem(0, ""));
    signal.addEventListener("abort", () => request.abort());
    request.send(file);
  });
}

/** The bytes of a picture, or null if there is none. */
export async function picture(path) {
  const answer = await fetch(prefix + path, { headers: headers() }).catch(() => null);
  return answer?.ok ? answer.blob() : null;
}

/** Encodes a name for a path. */
export const segment = name => encodeURIComponent(name);

const longestSilence = 40_000;

/**
 * Hears the service's events for as long as the page lives. After a break it asks for what it missed, by the id of the
 * last event. EventSource would do the same, but sends no token.
 *
 * hears: { event(name, data), connected(), lost(problem) }
 */
export async function listen(hears) {
  let last = null;
  let pause = 250;
  for (;;) {
    const stop = new AbortController();
    let timer = setTimeout(() => stop.abort(), longestSilence);
    try {
      const more = { Accept: "text/event-stream", ...(last ? { "Last-Event-ID": last } : {}) };
      const answer = await fetch(`${prefix}/events`, { headers: headers(more), signal: stop.signal, cache: "no-store" });
      if (!answer.ok) {
        const value = await answer.json().catch(() => null);
        throw new Problem(answer.status, value?.detail);
      }
      hears.connected();
      pause = 250;
      for await (const message of messages(answer.body)) {
        clearTimeout(timer);
        timer = setTimeout(() => stop.abort(), longestSilence);
        if (message.id) last = message.id;
        if (message.data) hears.event(message.event, JSON.parse(message.data));
      }
      hears.lost(null);
    } catch (error) {
      hears.lost(error instanceof Problem ? error : null);
      if (error.status === 401) await hears.askForToken();
    } finally {
      clearTimeout(timer);
    }
    await new Promise(done => setTimeout(done, pause));
    pause = Math.min(pause * 2, 5_000);
  }
}

/** Splits a stream into messages, as the HTML standard has server-sent events. */
async function* messages(stream) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    rest += value;
    const parts = rest.split("\n\n");
    rest = parts.pop();
    for (const part of parts) {
      const message = { event: "message", data: "" };
      for (const line of part.split("\n")) {
        const colon = line.indexOf(":");
        const [field, text] = [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, "")];
        if (field in message || field === "id") message[field] = text;
      }
      yield message;
    }
  }
}
