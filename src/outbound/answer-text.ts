/** What a server answered, as one line that can be stored and shown on a terminal. */
export function answerText(text: string, lengthMax: number): string {
  return text
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, lengthMax)
    .toWellFormed()
}
