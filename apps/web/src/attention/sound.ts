/** A short sound for a new request, made without a file. */
export interface Sound {
  /** Lets the page sound, which browsers allow from a click on. */
  allow(): void;
  /** Sounds, where the browser allows it. */
  play(): void;
}

/** The tones in hertz, one after the other. */
const TONES = [660, 880];
/** The length of a tone in seconds. */
const TONE_S = 0.14;
/** The loudness, where 1 is the loudest. */
const VOLUME = 0.15;

/** @param open makes the audio of the browser; undefined where it has none. */
export function sound(open: (() => AudioContext) | undefined): Sound {
  let audio: AudioContext | undefined;
  return {
    allow() {
      try {
        audio ??= open?.();
      } catch {
        // A device without audio, or with too many that sound: the next click tries again.
      }
      if (audio?.state === "suspended") void audio.resume().catch(() => {});
    },
    play() {
      if (audio?.state !== "running") return;
      const volume = audio.createGain();
      volume.gain.value = VOLUME;
      volume.connect(audio.destination);
      for (const [index, hertz] of TONES.entries()) {
        const tone = audio.createOscillator();
        tone.frequency.value = hertz;
        tone.connect(volume);
        tone.start(audio.currentTime + index * TONE_S);
        tone.stop(audio.currentTime + (index + 1) * TONE_S);
      }
    },
  };
}
