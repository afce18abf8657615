package io.carillon.servlet.feature.identity;

/** Why there is no credential: 436 (it cannot be had) or 437 (it is not trusted). */
public final class CredentialFailure extends Exception {
    private static final long serialVersionUID = 1L;

    private final int status;

    public CredentialFailure(int status, String why) {
        super(why, null, false, false);
        this.status = status;
    }

    /** RFC 8224 6.2.2. */
    public int status() {
        return status;
    }
}
