import { z } from 'zod'

/** How a component is written into an email or another component. The key stays when the component is renamed. */
export const componentTag = (key: string): string => `{% component "${key}" %}`

/** As it stands in the tag. */
export const ComponentKey = z.string('not_a_text').regex(/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/, 'component_key_form')
