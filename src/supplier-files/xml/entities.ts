// Named characters of HTML that suppliers use in XML without declaring them. Each is one character, so a document
// cannot grow by them.

const CODES =
  'nbsp:160 iexcl:161 cent:162 pound:163 yen:165 sect:167 copy:169 laquo:171 shy:173 reg:174 deg:176 plusmn:177 sup2:178 sup3:179 ' +
  'acute:180 micro:181 para:182 middot:183 sup1:185 ordm:186 raquo:187 frac14:188 frac12:189 frac34:190 iquest:191 Agrave:192 ' +
  'Aacute:193 Acirc:194 Atilde:195 Auml:196 Aring:197 AElig:198 Ccedil:199 Egrave:200 Eacute:201 Ecirc:202 Euml:203 Igrave:204 ' +
  'Iacute:205 Icirc:206 Iuml:207 ETH:208 Ntilde:209 Ograve:210 Oacute:211 Ocirc:212 Otilde:213 Ouml:214 times:215 Oslash:216 ' +
  'Ugrave:217 Uacute:218 Ucirc:219 Uuml:220 Yacute:221 THORN:222 szlig:223 agrave:224 aacute:225 acirc:226 atilde:227 auml:228 ' +
  'aring:229 aelig:230 ccedil:231 egrave:232 eacute:233 ecirc:234 euml:235 igrave:236 iacute:237 icirc:238 iuml:239 eth:240 ' +
  'ntilde:241 ograve:242 oacute:243 ocirc:244 otilde:245 ouml:246 divide:247 oslash:248 ugrave:249 uacute:250 ucirc:251 uuml:252 ' +
  'yacute:253 thorn:254 yuml:255 OElig:338 oelig:339 Scaron:352 scaron:353 ndash:8211 mdash:8212 lsquo:8216 rsquo:8217 sbquo:8218 ' +
  'ldquo:8220 rdquo:8221 bdquo:8222 bull:8226 hellip:8230 euro:8364 trade:8482 Omega:937 alpha:945 beta:946'

/** The character with a code. undefined if there is none: for 0, for half of a surrogate pair, and beyond the last one. */
export const characterWithCode = (code: number): string | undefined =>
  code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : undefined

/** The entities of XML and of HTML, with their characters. */
export const ENTITIES: Record<string, string> = {
  amp: '&',
  gt: '>',
  lt: '<',
  quot: '"',
  apos: "'",
  ...Object.fromEntries(
    CODES.split(' ').map((pair) => {
      const [name = '', code = ''] = pair.split(':')
      return [name, String.fromCodePoint(Number(code))]
    }),
  ),
}
