import { Button, Code, CopyButton, Group, List, Stack, Text, Title } from '@mantine/core'
import type { WidgetInstall as Install } from '@okaeri/contract/visitors/routes'
import { IconCopy, IconExternalLink } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useWords } from '../../app/i18n.ts'
import { ActionButton } from '../../ui/actions.tsx'
import { EditSection } from '../../ui/pages/edit-page.tsx'
import { Notice } from '../../ui/notice.tsx'
import classes from './widget-install.module.css'

/** The two ways into a theme, each with a drawing of where things are. */
export function WidgetInstall({
  script_tag: tag,
  places,
  styles,
  theme_editor_url: editor,
  checkout_editor_url: checkoutEditor,
  favorites_page_url,
}: Install) {
  const t = useWords('visitors')
  const steps = (names: readonly string[]): ReactNode => (
    <List type="ordered" size="sm" spacing="xs">
      {names.map((name) => (
        <List.Item key={name}>{name}</List.Item>
      ))}
    </List>
  )
  return (
    <EditSection title={t('install.title')} description={t('install.text')}>
      {tag === null ||
      places === null ||
      styles === null ||
      editor === null ||
      checkoutEditor === null ||
      favorites_page_url === null ? (
        <Notice>{t('install.noStore')}</Notice>
      ) : (
        <>
          <Way title={t('install.blocks')} picture={<EditorPicture label={t('install.blocksPicture')} />}>
            {steps([
              t('install.blockSteps.open'),
              t('install.blockSteps.add'),
              t('install.blockSteps.more'),
              t('install.blockSteps.save'),
            ])}
            <ToEditor href={editor} label={t('install.openEditor')} />
          </Way>
          <Way title={t('install.tag')} picture={<CodePicture label={t('install.tagPicture')} />}>
            {steps([
              t('install.tagSteps.paste'),
              t('install.tagSteps.styles'),
              t('install.tagSteps.place'),
              t('install.tagSteps.save'),
            ])}
          </Way>
          <CodeToCopy title={t('install.code')} code={tag} />
          <CodeToCopy title={t('install.styles')} code={styles} />
          <CodeToCopy title={t('install.places')} code={places} />
          <Way title={t('install.checkout')} picture={<CheckoutPicture label={t('install.checkoutPicture')} />}>
            <Text size="sm">{t('install.checkoutText')}</Text>
            {steps([
              t('install.checkoutSteps.open'),
              t('install.checkoutSteps.add'),
              t('install.checkoutSteps.more'),
              t('install.checkoutSteps.save'),
            ])}
            <ToEditor href={checkoutEditor} label={t('install.openCheckoutEditor')} />
          </Way>
          <CodeToCopy title={t('install.favorites')} text={t('install.favoritesText')} code={favorites_page_url} />
        </>
      )}
    </EditSection>
  )
}

const ToEditor = ({ href, label }: { href: string; label: string }) => (
  <Group>
    <Button
      component="a"
      href={href}
      target="_blank"
      rel="noreferrer"
      variant="default"
      leftSection={<IconExternalLink size={16} />}
    >
      {label}
    </Button>
  </Group>
)

function CodeToCopy({ title, text, code }: { title: string; text?: string; code: string }) {
  const t = useWords('visitors')
  return (
    <div>
      <Group justify="space-between" mb={4}>
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <CopyButton value={code}>
          {({ copied, copy }) => (
            <ActionButton
              action={{
                label: t(copied ? 'install.copied' : 'install.copy'),
                icon: <IconCopy size={16} />,
                onClick: copy,
              }}
            />
          )}
        </CopyButton>
      </Group>
      {text !== undefined && (
        <Text size="sm" mb={4}>
          {text}
        </Text>
      )}
      <Code block tabIndex={0} role="region" aria-label={title} mah={260} style={{ overflow: 'auto' }}>
        {code}
      </Code>
    </div>
  )
}

const Way = ({ title, picture, children }: { title: string; picture: ReactNode; children: ReactNode }) => (
  <div className={classes.way}>
    <Stack gap="sm" className={classes.steps}>
      <Title order={3} size="h5">
        {title}
      </Title>
      {children}
    </Stack>
    {picture}
  </div>
)

const EditorPicture = ({ label }: { label: string }) => (
  <svg className={classes.picture} viewBox="0 0 280 170" role="img" aria-label={label}>
    <rect x="1" y="1" width="278" height="168" rx="8" className={classes.ground} />
    <path d="M92 1v168M1 26h278" className={classes.edge} />
    <circle cx="14" cy="13.5" r="4" className={classes.soft} />
    <rect x="226" y="8" width="44" height="12" rx="4" className={classes.accent} />
    <rect x="12" y="40" width="62" height="7" rx="3" className={classes.soft} />
    <rect x="8" y="56" width="78" height="26" rx="6" className={classes.chosen} />
    <text x="16" y="73" className={classes.text}>
      Okaeri
    </text>
    <rect x="60" y="63" width="20" height="12" rx="6" className={classes.accent} />
    <circle cx="74" cy="69" r="4.5" className={classes.paper} />
    <rect x="12" y="94" width="56" height="6" rx="3" className={classes.soft} />
    <rect x="12" y="108" width="66" height="6" rx="3" className={classes.soft} />
    <rect x="106" y="40" width="66" height="112" rx="6" className={classes.soft} />
    <path d="M161 47c2-3 7-2 7 2 0 3-4 6-7 8-3-2-7-5-7-8 0-4 5-5 7-2z" className={classes.accent} />
    <rect x="184" y="42" width="80" height="8" rx="3" className={classes.soft} />
    <rect x="184" y="58" width="44" height="7" rx="3" className={classes.soft} />
    <rect x="184" y="78" width="84" height="20" rx="5" className={classes.outline} />
    <rect x="184" y="106" width="84" height="22" rx="5" className={classes.accent} />
    <rect x="180" y="102" width="92" height="30" rx="7" className={classes.dashed} />
  </svg>
)

const CheckoutPicture = ({ label }: { label: string }) => (
  <svg className={classes.picture} viewBox="0 0 280 170" role="img" aria-label={label}>
    <rect x="1" y="1" width="278" height="168" rx="8" className={classes.ground} />
    <path d="M1 26h278" className={classes.edge} />
    <circle cx="14" cy="13.5" r="4" className={classes.soft} />
    <rect x="14" y="40" width="110" height="9" rx="3" className={classes.soft} />
    <rect x="14" y="60" width="116" height="92" rx="6" className={classes.soft} />
    <rect x="146" y="56" width="122" height="100" rx="7" className={classes.dashed} />
    <rect x="154" y="66" width="46" height="6" rx="3" className={classes.soft} />
    <rect x="154" y="78" width="104" height="20" rx="5" className={classes.outline} />
    <rect x="154" y="104" width="44" height="16" rx="5" className={classes.accent} />
    <rect x="154" y="132" width="12" height="12" rx="3" className={classes.accent} />
    <rect x="172" y="132" width="86" height="5" rx="2.5" className={classes.soft} />
    <rect x="172" y="141" width="60" height="5" rx="2.5" className={classes.soft} />
  </svg>
)

const CodePicture = ({ label }: { label: string }) => (
  <svg className={classes.picture} viewBox="0 0 280 170" role="img" aria-label={label}>
    <rect x="1" y="1" width="278" height="168" rx="8" className={classes.ground} />
    <path d="M1 26h278" className={classes.edge} />
    <text x="14" y="18" className={classes.text}>
      layout/theme.liquid
    </text>
    {[40, 54, 68].map((y, index) => (
      <rect key={y} x={14 + index * 12} y={y} width={150 - index * 24} height="6" rx="3" className={classes.soft} />
    ))}
    <rect x="8" y="86" width="264" height="34" rx="6" className={classes.chosen} />
    <text x="26" y="107" className={classes.code}>
      {'<script async src="…/okaeri.js…'}
    </text>
    <text x="14" y="138" className={classes.code}>
      {'</body>'}
    </text>
    <text x="14" y="155" className={classes.code}>
      {'</html>'}
    </text>
  </svg>
)
