package io.carillon.net.guard;

/** Why a source is not listened to. */
public enum SourceRefusal {
    /** It is banned. */
    BANNED,
    /** It sends, or opens, more than one source may. */
    TOO_FAST
}
