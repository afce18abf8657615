package io.carillon.examples.registrar;

import javax.servlet.ServletException;

/** A registration that cannot be done; the status says why. */
final class Refused extends ServletException {
    private static final long serialVersionUID = 1L;

    final int status;

    /** A header line that says more; null without. */
    final String header;

    final String value;

    Refused(int status) {
        this(status, null, null);
    }

    Refused(int status, String header, String value) {
        super("refused with " + status);
        this.status = status;
        this.header = header;
        this.value = value;
    }
}
