package io.carillon.net.tls;

/**
 * A certificate, key or setting that TLS cannot be run with. The message is a sentence for the
 * operator and holds no secret.
 */
public final class TlsFault extends Exception {

    private static final long serialVersionUID = 1L;

    private final String key;

    /**
     * @param key the setting at fault, as in {@code certificates[1].key}, under the record of TLS
     * @param message what is wrong and what is allowed
     */
    public TlsFault(String key, String message) {
        super(message);
        this.key = key;
    }

    /** The setting at fault, under the record of TLS. */
    public String key() {
        return key;
    }
}
