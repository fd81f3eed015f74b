/** The URL of a link. The part after # is not sent to any server, so the token appears in no log. */
export const linkAddress = (publicUrl: string, token: string) => `${publicUrl}/panel/link#${token}`
