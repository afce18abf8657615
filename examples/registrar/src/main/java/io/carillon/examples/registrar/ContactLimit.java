package io.carillon.examples.registrar;

import javax.servlet.ServletContext;
import javax.servlet.ServletException;

/**
 * How many contacts one address of record may have: so many more requests a call for it is, each
 * repeated until it is answered. Unchanging.
 */
final class ContactLimit {
    private static final String NAME = "max-contacts";
    private static final int USUAL = 10;

    /** Whoever is on more devices than that is none. */
    private static final int MOST = 200;

    final int most;

    private ContactLimit(int most) {
        this.most = most;
    }

    /**
     * The application's context parameter, or {@value #USUAL}.
     *
     * @throws ServletException when it is no number from 1 to {@value #MOST}
     */
    static ContactLimit of(ServletContext context) throws ServletException {
        String value = context.getInitParameter(NAME);
        if (value == null || value.trim().isEmpty()) {
            return new ContactLimit(USUAL);
        }
        String number = value.trim();
        int most = number.matches("[0-9]{1,3}") ? Integer.parseInt(number) : 0;
        if (most < 1 || most > MOST) {
            throw new ServletException(NAME + " must be 1 to " + MOST + ", not '" + value + "'");
        }
        return new ContactLimit(most);
    }

    /**
     * @param before contacts that were bound: those of a higher limit may be refreshed and removed
     * @param after contacts that would be
     * @throws Refused when they would be more, and too many
     */
    void check(int before, int after) throws Refused {
        if (after > most && after > before) {
            throw Refused.tooManyContacts(most);
        }
    }
}
