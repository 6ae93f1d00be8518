interface Clicked {
  position: number
  click_count: number
}

/** A link's share of all clicks, in percent; null while there is none. */
export function shareOf(link: Clicked, links: readonly Clicked[]): number | null {
  const all = links.reduce((sum, { click_count }) => sum + click_count, 0)
  return all === 0 ? null : (link.click_count / all) * 100
}

const COLOURS = { most: '#a34700', some: '#0b5d62', none: '#5f6368' } as const

/**
 * Style rules that write beside each link of a mail its number and its clicks. Rules alone: the mail's own HTML stays as it was sent, and
 * nothing in the frame needs to run.
 */
export function clickMarks(mark: string, links: readonly Clicked[], label: (link: Clicked) => string): string {
  const most = Math.max(...links.map(({ click_count }) => click_count))
  const rules = links.map((link) => {
    const colour = COLOURS[link.click_count === 0 ? 'none' : link.click_count === most ? 'most' : 'some']
    // Twice, so that a rule of the mail's with an id or a class does not win.
    const at = `a[href="#${mark}${link.position}"]`.replace(/\[.*\]/, (attribute) => attribute.repeat(3))
    return `${at}{position:relative!important;outline:2px solid ${colour}!important;outline-offset:1px!important;overflow:visible!important}
${at}::before{content:"${link.position + 1}"!important;left:-5px!important;min-width:20px!important;background:#fff!important;color:${colour}!important;text-align:center!important;padding:0 3px!important}
${at}::after{content:${cssText(label(link))}!important;left:19px!important;background:${colour}!important;color:#fff!important;padding:0 7px!important}
${at}::before,${at}::after{border-color:${colour}!important}`
  })
  return `a[href^="#${mark}"]::before,a[href^="#${mark}"]::after{display:block!important;position:absolute!important;top:-18px!important;z-index:2147483647!important;box-sizing:border-box!important;height:20px!important;width:auto!important;margin:0!important;border:2px solid!important;border-radius:10px!important;font:700 11px/16px system-ui,sans-serif!important;letter-spacing:0!important;white-space:nowrap!important;text-transform:none!important;text-decoration:none!important;text-indent:0!important;opacity:1!important;transform:none!important}
${rules.join('\n')}`
}

/** As a string of CSS; nothing in it can end the rule or the style element. */
const cssText = (text: string): string =>
  `"${text.replace(/["\\<>&\n\r\f]/g, (sign) => `\\${(sign.codePointAt(0) ?? 0).toString(16)} `)}"`
