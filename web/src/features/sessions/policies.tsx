import { Anchor } from '@mantine/core'
import { getSignUp, type Policies } from '@okaeri/contract/sessions/routes'
import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { queryOf } from '../../api/queries.ts'
import { useWords } from '../../app/i18n.ts'
import { splitAtNames } from './name-split.ts'
import classes from './auth-page.module.css'

const NONE: Policies = { privacy: null, terms: null }

/** Whether one can sign up here, whether no one has yet, and the policy and terms of this installation. */
export function useDoor() {
  const { data } = useQuery({ ...queryOf(getSignUp, {}), refetchInterval: false })
  return { door: data?.sign_up, isNew: data?.has_accounts === false, policies: data?.policies ?? NONE }
}

/** In a window of its own: what was typed stays. */
const PolicyLink = ({ href, text }: { href: string; text: string }) => (
  <Anchor href={href} target="_blank" rel="noopener" inherit underline="always">
    {text}
  </Anchor>
)

/** The policies there are, at the foot of a page. */
export function PolicyLinks() {
  const t = useWords('sessions')
  const { policies } = useDoor()
  const links = (['privacy', 'terms'] as const).flatMap((name) => {
    const href = policies[name]
    return href === null ? [] : [{ name, href }]
  })
  if (links.length === 0) return null
  return (
    <nav className={classes.policies} aria-label={t('policies.label')}>
      {links.map(({ name, href }) => (
        <PolicyLink key={name} href={href} text={t(`policies.${name}`)} />
      ))}
    </nav>
  )
}

/** What one agrees to, with the name of each policy leading to it; where there is no page of either, both are named. */
export function Agreement() {
  const t = useWords('sessions')
  const { privacy, terms } = useDoor().policies
  const text = t(
    privacy !== null && terms === null
      ? 'signup.agreementToPrivacy'
      : terms !== null && privacy === null
        ? 'signup.agreementToTerms'
        : 'signup.agreement',
  )
  const named = [
    { href: privacy, name: t('policies.privacy') },
    { href: terms, name: t('policies.terms') },
  ]
  return (
    <>
      {splitAtNames(
        text,
        named.map(({ name }) => name),
      ).map((part, at) => {
        const href = named.find(({ name }) => name.toLowerCase() === part.toLowerCase())?.href
        return href ? <PolicyLink key={part} href={href} text={part} /> : <Fragment key={at}>{part}</Fragment>
      })}
    </>
  )
}
