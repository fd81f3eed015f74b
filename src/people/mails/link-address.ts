/** Where a link leads. What follows # is not sent to any server, so it is in no log. */
export const linkAddress = (publicUrl: string, token: string) => `${publicUrl}/panel/link#${token}`
