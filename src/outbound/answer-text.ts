/** A server's answer as one line of at most `lengthMax` characters, which can be stored and shown on a terminal. */
export function answerText(text: string, lengthMax: number): string {
  return text
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, lengthMax)
    .toWellFormed()
}
