import { SAMPLE_PICTURE } from '@okaeri/contract/line-messages/samples'
import { IconPhoto } from '@tabler/icons-react'
import { type CSSProperties, useState } from 'react'
import classes from './phone.module.css'

/** A picture of a message; in its place a frame while there is none, or where it cannot be loaded. */
export function Picture({ url, style }: { url: string | undefined; style?: CSSProperties }) {
  const [failed, setFailed] = useState<string | null>(null)
  // Nothing is at the address that samples name.
  if (!url || failed === url || url === SAMPLE_PICTURE)
    return (
      <span className={classes.noPicture} style={style}>
        <IconPhoto size={28} stroke={1.5} aria-hidden />
      </span>
    )
  return <img src={url} alt="" style={style} onError={() => setFailed(url)} referrerPolicy="no-referrer" />
}
