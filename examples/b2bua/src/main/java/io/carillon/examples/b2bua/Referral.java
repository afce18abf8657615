package io.carillon.examples.b2bua;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Enumeration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipSession;

/**
 * A transfer through two dialogs: who gets the REFER calls the target, and its NOTIFYs tell the
 * other side how that went. RFC 3515 2.4.6: they name the REFER by the CSeq that it had, which is
 * another one on each side.
 */
final class Referral {
    private static final Pattern ID = Pattern.compile("(?<=;)(\\s*id\\s*=\\s*)(\\d+)");
    private static final String NAME = "REFER ";
    private static final int MOST = 8;

    private Referral() {}

    /** Notes what a REFER is called on each side, and calls it so in the NOTIFYs about it. */
    static void translate(SipServletRequest came, SipServletRequest onward) {
        if (came.getMethod().equals("REFER")) {
            forgetOldest(onward.getSession());
            onward.getSession().setAttribute(name(number(onward)), number(came));
        } else if (came.getMethod().equals("NOTIFY") && came.getHeader("Event") != null) {
            Matcher id = ID.matcher(came.getHeader("Event"));
            Object known = id.find() ? came.getSession().getAttribute(name(id.group(2))) : null;
            if (known != null) {
                onward.setHeader("Event", id.replaceFirst("$1" + known));
            }
        }
    }

    /** A party may refer as often as it likes; the oldest of so many has long been told. */
    private static void forgetOldest(SipSession session) {
        List<String> names = new ArrayList<>();
        Enumeration<String> all = session.getAttributeNames();
        while (all.hasMoreElements()) {
            String one = all.nextElement();
            if (one.startsWith(NAME)) {
                names.add(one);
            }
        }
        if (names.size() >= MOST) {
            names.sort(
                    Comparator.comparingLong(one -> Long.parseLong(one.substring(NAME.length()))));
            session.removeAttribute(names.get(0));
        }
    }

    private static String name(String number) {
        return NAME + number;
    }

    private static String number(SipServletRequest request) {
        return request.getHeader("CSeq").split(" ", 2)[0];
    }
}
