/** The limits of pictures and of their mirror: a part of LIMITS (limits.ts). */
export const IMAGE_LIMITS = {
  // the mirror of pictures
  imageConnectTimeoutMs: 5_000,
  imageTotalTimeoutMs: 30_000,
  imageRedirectsMax: 5,
  imageRetryAfterMs: 3_600_000,
  /** Requests per second to one host, over all accounts and processes. */
  mirrorPerSecondMax: 5,
  /** Slots of a host, each for one request at a time: one slot for this many requests per second, within these bounds. */
  mirrorPerSlotSecond: 5,
  mirrorSlotsMin: 2,
  mirrorSlotsMax: 8,
  /** Hosts that a process sends requests to at the same time. */
  mirrorRunsMax: 48,
  /** How many of these one turn of an account may begin. */
  mirrorRunsPerTurn: 8,
  /** Hosts of an account, and due pictures, that one turn reads to find what to begin. */
  mirrorHostsLooked: 200,
  mirrorDueLooked: 500,
  mirrorHostDaysMax: 7,
  /** Pictures that are fetched and recorded together: at most this many, begun within this time. */
  mirrorRunImages: 20,
  mirrorRunMs: 5_000,
  /** Longer than a run with its last fetch, inspection and storing can take. */
  mirrorLeaseMs: 240_000,
  mirrorHostFailuresMax: 5,
  mirrorHostRestMs: 10_000,
  mirrorHostRestMaxMs: 900_000,
  imageToldAfterHours: 48,
  /** The size of all stored pictures, unless IMAGE_STORE_GB says otherwise. */
  imageStoreGigabytes: 50,
  mirrorFullRetryMs: 3_600_000,
  mirrorTroubleRetryMs: 600_000,
  /** Unused pictures are kept for this long, so that a database restored from a backup of that age finds them. */
  imageUnusedDays: 14,
  imageListPage: 1_000,
  imageRemovalHours: 24,
  // pictures
  imageBytesMax: 25_000_000,
  /** Bytes of a form besides the picture. */
  imageFormBytesMax: 65_536,
  imageUploadUnusedDays: 30,
  imagePixelsMax: 50_000_000,
  /** Decoding an AVIF takes up to 26 bytes of memory for each pixel, other types up to 10. */
  imageAvifPixelsMax: 25_000_000,
  /** Pixels of all frames of an animation together. */
  imageFramesPixelsMax: 500_000_000,
  imageSvgBytesMax: 2_000_000,
  imageSvgElementsMax: 50_000,
  imageSvgDepthMax: 100,
  imageSvgUsesMax: 1_000,
  imageDecodeCpuMs: 20_000,
  imageDecodeMs: 180_000,
  imageDecodesPerProcess: 1_000,
  imageDecoderIdleMs: 30_000,
  /** If nobody waits for a picture any more, its process is ended once the work has taken this long. */
  imageDecodeLeftMs: 1_000,
  /** Pictures with more pixels, or that need more memory than a process for small ones has, are large and have turns of their own. */
  imageSmallPixelsMax: 12_500_000,
  imageDecoderSmallMegabytes: 256,
  /** Memory of a process for large pictures, unless IMAGE_DECODER_MB is set; a process that keeps imageDecoderRestBytes after a picture is ended. */
  imageDecoderMegabytes: 768,
  imageDecoderRestBytes: 167_772_160,
  /** Processes for small uploaded pictures; and how many pictures may wait for inspection, in all and of one account. */
  imageUploadProcesses: 2,
  imageUploadsWaitingMax: 500,
  imageUploadsWaitingPerAccountMax: 50,
  imageUploadRetrySeconds: 5,
  /** A lower priority (nice) than that of pictures that somebody waits for. */
  imageMirrorNice: 15,
  /** How long the mirror waits for the inspection of a picture, including its turn. With the rest of a run this is less than mirrorLeaseMs. */
  mirrorInspectMs: 190_000,
  // resized and converted pictures: how many may wait, in all and for one client address, and how long a request waits
  imageVariantsWaitingMax: 500,
  imageVariantsWaitingPerAddressMax: 100,
  imageVariantWaitMs: 15_000,
  imageVariantFailedMs: 600_000,
  imageVariantProcessesMin: 2,
  imageVariantProcessesMax: 4,
  /** Variants whose original is being read or decoded, in all and for one client address. */
  imageVariantsAtOnce: 16,
  imageVariantsAtOncePerAddress: 4,
  imageReadAtOnceBytes: 524_288,
  // small pictures that are cached in memory: bytes of all, bytes of one, and for how long
  imageCacheBytes: 67_108_864,
  imageCachedBytesMax: 262_144,
  imageCacheMs: 600_000,
  imageStoreConnectionsMax: 256,
  imageStoreConnectMs: 5_000,
  imageStoreTimeoutMs: 30_000,
} as const
