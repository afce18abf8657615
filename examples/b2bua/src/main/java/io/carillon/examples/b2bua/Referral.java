package io.carillon.examples.b2bua;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.servlet.sip.SipServletRequest;

/**
 * A transfer through two dialogs: who gets the REFER calls the target, and its NOTIFYs tell the
 * other side how that went. RFC 3515 2.4.6: they name the REFER by the CSeq that it had, which is
 * another one on each side.
 */
final class Referral {
    private static final Pattern ID = Pattern.compile("(?<=;)(\\s*id\\s*=\\s*)(\\d+)");

    private Referral() {}

    /** Notes what a REFER is called on each side, and calls it so in the NOTIFYs about it. */
    static void translate(SipServletRequest came, SipServletRequest onward) {
        if (came.getMethod().equals("REFER")) {
            onward.getSession().setAttribute(name(number(onward)), number(came));
        } else if (came.getMethod().equals("NOTIFY") && came.getHeader("Event") != null) {
            Matcher id = ID.matcher(came.getHeader("Event"));
            Object known = id.find() ? came.getSession().getAttribute(name(id.group(2))) : null;
            if (known != null) {
                onward.setHeader("Event", id.replaceFirst("$1" + known));
            }
        }
    }

    private static String name(String number) {
        return "REFER " + number;
    }

    private static String number(SipServletRequest request) {
        return request.getHeader("CSeq").split(" ", 2)[0];
    }
}
