// How a flow is laid out, for the templates that make one and for the page that draws it. In pixels of the drawing.

/** Of a card without figures. */
export const NODE_WIDTH = 256
export const NODE_HEIGHT = 92
/** What its figures add: three lines, for a step that sends mails. */
export const FIGURES_HEIGHT = 62
/** Below a card: the name of its way out, the button on the line, the tip of the arrow. */
const WAY_HEIGHT = 56
/** From the top of one card to the top of the next below it: as tall as a card becomes once it has figures. */
export const STEP_Y = NODE_HEIGHT + FIGURES_HEIGHT + WAY_HEIGHT
