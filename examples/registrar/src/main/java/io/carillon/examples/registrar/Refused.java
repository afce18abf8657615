package io.carillon.examples.registrar;

import java.util.concurrent.ThreadLocalRandom;
import javax.servlet.ServletException;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;

/** A registration that cannot be done; the status says why. */
final class Refused extends ServletException {
    private static final long serialVersionUID = 1L;
    private static final int MOST_SECONDS = 10;

    final int status;

    /** A header line that says more; null without. */
    final String header;

    final String value;

    /** The reason phrase; null: that of the status. */
    final String reason;

    Refused(int status) {
        this(status, null, null);
    }

    Refused(int status, String header, String value) {
        this(status, null, header, value);
    }

    private Refused(int status, String reason, String header, String value) {
        super("refused with " + status);
        this.status = status;
        this.reason = reason;
        this.header = header;
        this.value = value;
    }

    /**
     * The answer to a request for which there is no room now, as the database has no time for it.
     * Phones come again after as many different times: RFC 3261 20.33 has the seconds.
     */
    static SipServletResponse forNow(SipServletRequest request) {
        SipServletResponse response =
                request.createResponse(SipServletResponse.SC_SERVICE_UNAVAILABLE);
        int seconds = 1 + ThreadLocalRandom.current().nextInt(MOST_SECONDS);
        response.setHeader("Retry-After", Integer.toString(seconds));
        return response;
    }

    /** Who has so many contacts removes one first. */
    static Refused tooManyContacts(int most) {
        String reason = "At Most " + most + (most == 1 ? " Contact" : " Contacts");
        return new Refused(SipServletResponse.SC_FORBIDDEN, reason, null, null);
    }
}
