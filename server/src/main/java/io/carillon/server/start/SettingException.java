package io.carillon.server.start;

/** The server cannot start because of what one setting names. */
public final class SettingException extends StartException {
    private static final long serialVersionUID = 1L;

    private final String key;

    /**
     * @param key the setting, as in {@code tls.certificates[0].key}
     * @param message what is wrong with what it names, and what is allowed
     */
    public SettingException(String key, String message, Throwable cause) {
        super(key + ": " + message, cause);
        this.key = key;
    }

    /** The setting. */
    public String key() {
        return key;
    }
}
