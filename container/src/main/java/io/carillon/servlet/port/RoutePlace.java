package io.carillon.servlet.port;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.uri.SipUri;
import org.jspecify.annotations.Nullable;

/** The place of an application on the chain of those on one dialog, as our routes say it. */
public final class RoutePlace {
    /** Parameter of our Record-Route values; absent for 0. */
    public static final String PARAMETER = "crn";

    private static final int MOST = 1_000;

    private RoutePlace() {}

    /** The place that a popped route names; 0 without the parameter, -1 without a route. */
    public static int of(@Nullable NameAddress popped) {
        if (popped == null) {
            return -1;
        }
        String text = popped.uri() instanceof SipUri uri ? uri.param(PARAMETER) : null;
        if (text == null) {
            return 0;
        }
        long place = Ascii.parseDecimal(text, MOST);
        return place < 0 ? 0 : (int) place;
    }
}
