// Which models answer in text and call tools. Lists of hosts mix them with models that
// make pictures, sound, vectors or verdicts, and few lists say which is which.

/** Anywhere in a name. */
const ANYWHERE =
  /embed|rerank|moderation|guard|safety|onocr|summarizer|schematron|detector|relace-|morph-v3/i;

/** As a word of a name. */
const WORDS =
  /(?:^|[-/_ ])(?:tts|asr|ocr|stt|mt|audio|voice\w*|speech|music|video|images?|realtime|live|sora|veo|lyria|imagen|dall-e|flux|whisper|voxtral|kling|recraft|ideogram|seedream|seedance|transcribe|translate|livetranslate|deep-research|computer-use|bge|nemoretriever|paligemma|omni-turbo)(?:[-_./: \d]|$)/i;

/** One host lists its whole laboratory. */
const LABORATORY =
  /studiovoice|voicechat|usdcode|usdvalidate|bevformer|sparsedrive|streampetr|speaker-detection|esmfold|esm2|gliner|cosmos|riva/i;

export function canTalk(name: string): boolean {
  return !ANYWHERE.test(name) && !WORDS.test(name) && !LABORATORY.test(name);
}
