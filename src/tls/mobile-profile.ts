import { hash, type X509Certificate } from 'node:crypto'

/** A configuration profile of Apple's that installs an authority; the same authority always makes the same one. */
export function mobileProfile({ raw }: X509Certificate): string {
  const id = uuidOf(raw)
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>PayloadType</key><string>Configuration</string>
  <key>PayloadVersion</key><integer>1</integer>
  <key>PayloadIdentifier</key><string>muster.authority</string>
  <key>PayloadUUID</key><string>${id}</string>
  <key>PayloadDisplayName</key><string>Muster: your company’s server</string>
  <key>PayloadDescription</key><string>Lets this phone trust your company’s Muster server.</string>
  <key>PayloadContent</key>
  <array>
    <dict>
      <key>PayloadType</key><string>com.apple.security.root</string>
      <key>PayloadVersion</key><integer>1</integer>
      <key>PayloadIdentifier</key><string>muster.authority.certificate</string>
      <key>PayloadUUID</key><string>${uuidOf(Buffer.from(id))}</string>
      <key>PayloadDisplayName</key><string>Muster authority</string>
      <key>PayloadContent</key><data>${raw.toString('base64')}</data>
    </dict>
  </array>
</dict>
</plist>
`
}

/** A name-based identifier: version 8 of RFC 9562, over SHA-256. */
function uuidOf(bytes: Buffer): string {
  const hex = hash('sha256', bytes, 'hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
