import { expect, test } from 'vitest'
import { splitAtNames } from './name-split.ts'
import { words } from './words.ts'

test.each(['ja', 'en'] as const)(
  'in %s each sentence of agreement names what it links, so that it can be linked',
  (language) => {
    const { signup, policies } = words
    const names = [policies.privacy[language], policies.terms[language]]
    const namedIn = (sentence: string) =>
      splitAtNames(sentence, names).filter((part) => names.some((name) => name.toLowerCase() === part.toLowerCase()))
    expect(namedIn(signup.agreement[language])).toHaveLength(2)
    expect(namedIn(signup.agreementToPrivacy[language])).toHaveLength(1)
    expect(namedIn(signup.agreementToTerms[language])).toHaveLength(1)
    expect(splitAtNames(signup.agreement[language], names).join('')).toBe(signup.agreement[language])
  },
)
