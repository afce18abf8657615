package io.carillon.examples.registrar;

import javax.servlet.ServletException;

/** A registration that cannot be done; the status says why. */
final class Refused extends ServletException {
    private static final long serialVersionUID = 1L;

    final int status;

    Refused(int status) {
        super("refused with " + status);
        this.status = status;
    }
}
