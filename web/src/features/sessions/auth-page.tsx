import { Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { LanguageSwitch, ThemeSwitch } from '../../app/header-controls.tsx'
import { useWords } from '../../app/i18n.ts'
import mark from '../../app/okaeri.svg'
import classes from './auth-page.module.css'
import { PolicyLinks } from './policies.tsx'

/** The frame of the pages before sign-in. */
export function AuthPage({
  title,
  text,
  children,
  footer,
  saysPolicies,
}: {
  title: string
  text?: string
  children: ReactNode
  footer?: ReactNode
  /** The page itself links policy and terms. */
  saysPolicies?: boolean
}) {
  const t = useWords('sessions')
  return (
    <div className={classes.ground}>
      <title>{`${title} | Okaeri`}</title>
      <header className={classes.header}>
        <Group gap={6}>
          <LanguageSwitch />
          <ThemeSwitch />
        </Group>
      </header>
      <main className={classes.main}>
        <div className={classes.brand}>
          <img src={mark} alt="" width={44} height={44} />
          <div>
            <div className={classes.product}>お帰り Okaeri</div>
            <Text size="sm" c="dimmed">
              {t('tagline')}
            </Text>
          </div>
        </div>
        <Paper withBorder p={{ base: 'lg', sm: 'xl' }} shadow="sm">
          <Stack gap="md">
            <div>
              <Title order={1} size="h3">
                {title}
              </Title>
              {text && (
                <Text size="sm" c="dimmed" mt={4}>
                  {text}
                </Text>
              )}
            </div>
            {children}
          </Stack>
        </Paper>
        {footer && <div className={classes.footer}>{footer}</div>}
        {!saysPolicies && <PolicyLinks />}
      </main>
    </div>
  )
}
