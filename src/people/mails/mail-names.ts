// Names that people have chosen, in mails that we send to others: a name must not become a link in the reader's mail program.

const SUBJECT_NAME_LENGTH_MAX = 60

/** Replaces control and bidirectional characters, and line ends, by blanks. */
const oneLine = (text: string) => text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')

/** The characters that make a mail program see a link: an address of a page or of a mailbox, or a text with a dot, colon, slash or @ inside. */
const LINK = /[@\uFF20/\\\uFF0F]|:(?=\S)|[.\u3002\uFF0E\uFF61](?=[\p{L}\p{N}])/u

/** A name for a subject; null if it could be taken for a link or is long: the subject is then written without it. */
export function nameInSubject(name: string): string | null {
  const plain = oneLine(name).normalize('NFKC').trim()
  return plain === '' || plain.length > SUBJECT_NAME_LENGTH_MAX || LINK.test(plain) ? null : plain
}

/** A name for the text of a mail: possible links are split by blanks. */
export function nameInText(name: string): string {
  return oneLine(name)
    .normalize('NFKC')
    .replaceAll(new RegExp(LINK, 'gu'), (sign) => (sign === '@' ? ' at ' : `${sign} `))
    .trim()
}
