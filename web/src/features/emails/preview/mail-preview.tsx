import { Group, SegmentedControl, Skeleton, Switch, Text } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import type { RenderedEmail } from '@okaeri/contract/emails/email'
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react'
import { type CSSProperties, type ReactNode, useMemo, useState } from 'react'
import { useWords } from '../../../app/i18n.ts'
import { type Device, frameDocument } from './mail-frame.ts'
import classes from './mail-preview.module.css'

/** Room a mail has in a window on a desk; narrower places show it smaller, not differently. */
const DESKTOP_WIDTH_PX = 700
const PHONE_MAX_WIDTH_PX = 600
const onPhone = (): boolean => window.innerWidth < PHONE_MAX_WIDTH_PX

type Shown = Pick<RenderedEmail, 'subject' | 'html'> &
  Partial<Pick<RenderedEmail, 'preheader' | 'from' | 'to' | 'text' | 'links_by'>>

interface MailPreviewProps {
  /** Undefined while it is being made. */
  mail: Shown | undefined
  /** At the left of the switches: who it is shown as. */
  controls?: ReactNode
  /** Fills its box instead of taking a height of its own. */
  fill?: boolean
  /** A newer one is on its way. */
  stale?: boolean
  /** Style rules of ours, for marks upon the mail. */
  drawnOver?: string
}

/** A mail as it will be seen: desktop, phone, dark, plain text. Nothing in it can run or lead away. */
export function MailPreview({ mail, controls, fill, stale, drawnOver }: MailPreviewProps) {
  const t = useWords('emails')
  const [device, setDevice] = useState<Device>(onPhone() ? 'phone' : 'desktop')
  const [dark, setDark] = useState(false)
  const stage = useElementSize()
  const scale = stage.width > 0 ? Math.min(1, stage.width / DESKTOP_WIDTH_PX) : 1
  const [format, setFormat] = useState<'html' | 'text'>('html')
  return (
    <div className={classes.preview} data-fill={fill || undefined} aria-busy={stale || mail === undefined}>
      <Group gap="sm" className={classes.controls}>
        {controls}
        {mail?.text !== undefined && (
          <SegmentedControl
            size="xs"
            aria-label={t('view.format')}
            value={format}
            onChange={(value) => setFormat(value === 'text' ? 'text' : 'html')}
            data={[
              { value: 'html', label: t('view.html') },
              { value: 'text', label: t('view.text') },
            ]}
          />
        )}
        {format === 'html' && (
          <>
            <SegmentedControl
              size="xs"
              aria-label={t('view.label')}
              value={device}
              onChange={(value) => setDevice(value === 'phone' ? 'phone' : 'desktop')}
              data={[
                {
                  value: 'desktop',
                  label: <DeviceLabel icon={<IconDeviceDesktop size={16} />} text={t('view.desktop')} brief={fill} />,
                },
                {
                  value: 'phone',
                  label: <DeviceLabel icon={<IconDeviceMobile size={16} />} text={t('view.phone')} brief={fill} />,
                },
              ]}
            />
            <Switch
              size="sm"
              label={t('view.dark')}
              checked={dark}
              onChange={(event) => setDark(event.currentTarget.checked)}
            />
          </>
        )}
      </Group>
      {mail && (mail.from !== undefined || mail.to !== undefined) && <Envelope mail={mail} />}
      <div
        ref={stage.ref}
        className={classes.stage}
        data-device={format === 'html' ? device : undefined}
        data-dark={dark || undefined}
        style={{ '--scale': device === 'desktop' ? scale : 1 } as CSSProperties}
      >
        {mail === undefined ? (
          <Skeleton height="100%" />
        ) : format === 'text' ? (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
          <pre className={classes.text} tabIndex={0}>
            {mail.text || t('view.noText')}
          </pre>
        ) : mail.html === '' ? (
          <Text size="sm" c="dimmed" p="md">
            {t('view.cannotShow')}
          </Text>
        ) : (
          <MailFrame mail={mail} dark={dark} drawnOver={drawnOver} />
        )}
      </div>
      {dark && format === 'html' && (
        <Text size="xs" c="dimmed" mt={6}>
          {t('view.darkApproximate')}
        </Text>
      )}
    </div>
  )
}

const DeviceLabel = ({ icon, text, brief }: { icon: ReactNode; text: string; brief: boolean | undefined }) => (
  <span className={classes.device}>
    <span aria-hidden className={classes.deviceIcon}>
      {icon}
    </span>
    <span className={brief ? 'for-screen-readers' : undefined}>{text}</span>
  </span>
)

/** What a mailbox shows before the mail is opened. */
function Envelope({ mail }: { mail: Shown }) {
  const t = useWords('emails')
  const ui = useWords('ui')
  return (
    <div className={classes.envelope}>
      <div className={classes.subject}>{mail.subject || t('view.noSubject')}</div>
      {mail.preheader && <div className={classes.preheader}>{mail.preheader}</div>}
      <div className={classes.address}>
        {/* Without an address the server writes the name and empty brackets. */}
        {mail.from && (
          <span>
            {ui('labelled', { label: t('view.from'), value: mail.from.replace(/<>$/, () => t('view.noAddress')) })}
          </span>
        )}
        {mail.to && <span>{ui('labelled', { label: t('view.to'), value: mail.to })}</span>}
        {mail.links_by && <span>{ui('labelled', { label: t('view.linksBy'), value: mail.links_by.host })}</span>}
      </div>
    </div>
  )
}

/** The mail alone, in a frame that runs no scripts and can reach nothing. */
export function MailFrame({
  mail,
  dark = false,
  drawnOver,
}: {
  mail: Pick<Shown, 'subject' | 'html'>
  dark?: boolean
  drawnOver?: string | undefined
}) {
  const t = useWords('emails')
  const document = useMemo(() => frameDocument(mail.html, dark, drawnOver), [mail.html, dark, drawnOver])
  return (
    <iframe
      className={classes.frame}
      title={t('view.frame', { subject: mail.subject || t('view.noSubject') })}
      sandbox=""
      srcDoc={document}
    />
  )
}

/** The mail made small, to be recognised by. */
export const MailThumbnail = ({ mail }: { mail: Pick<Shown, 'subject' | 'html'> | undefined }) => (
  <div className={classes.thumbnail} aria-hidden inert>
    {mail ? <MailFrame mail={mail} /> : <Skeleton height="100%" />}
  </div>
)
