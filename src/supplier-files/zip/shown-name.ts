// The upper half of code page 850, in which Windows writes names in zip archives in western Europe. Other code pages have most of these letters at
// the same positions.
const CODE_PAGE_850 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0'

const UTF_8 = new TextDecoder('utf-8', { fatal: true })

/**
 * The name of a file in a zip archive as people know it. Without the flag for UTF-8, an archive does not state the encoding of its names: macOS
 * writes UTF-8, and Windows a code page.
 * @param found the name as fflate reads it: without the flag, each byte is a character
 */
export function shownName(found: string): string {
  return decoded(found).normalize('NFC')
}

function decoded(found: string): string {
  if (!/^[\0-\u00ff]*[\u0080-\u00ff][\0-\u00ff]*$/.test(found)) return found
  try {
    return UTF_8.decode(Buffer.from(found, 'latin1'))
  } catch {
    // names have no control characters, so these are letters of a code page; without any, the name may have been decoded by the flag
    if (!/[\u0080-\u009f]/.test(found)) return found
    return found.replaceAll(/[\u0080-\u00ff]/g, (byte) => CODE_PAGE_850.charAt(byte.charCodeAt(0) - 0x80))
  }
}
