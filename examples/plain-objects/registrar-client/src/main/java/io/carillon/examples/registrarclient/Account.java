package io.carillon.examples.registrarclient;

import java.util.Locale;
import javax.servlet.ServletContext;
import javax.servlet.ServletException;
import javax.servlet.sip.ServletParseException;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipURI;

/**
 * Where to register, and as whom: the context parameters.
 *
 * @param seconds that are asked for
 * @param instance {@code urn:uuid:...}; empty without
 */
record Account(SipURI registrar, SipURI identity, String password, int seconds, String instance) {

    static Account of(ServletContext context, SipFactory factory) throws ServletException {
        String seconds = parameter(context, "seconds", "3600");
        String instance = parameter(context, "instance", "");
        if (!seconds.matches("[1-9][0-9]{0,5}")) {
            throw new ServletException("seconds must be a number, not '" + seconds + "'");
        }
        if (!instance.isEmpty() && !instance.toLowerCase(Locale.ROOT).matches("urn:[-\\w:.]+")) {
            throw new ServletException("instance must be a URN, not '" + instance + "'");
        }
        return new Account(
                uri(context, factory, "registrar"),
                uri(context, factory, "identity"),
                parameter(context, "password", ""),
                Integer.parseInt(seconds),
                instance);
    }

    private static String parameter(ServletContext context, String name, String otherwise) {
        String value = context.getInitParameter(name);
        return value == null || value.isBlank() ? otherwise : value.trim();
    }

    private static SipURI uri(ServletContext context, SipFactory factory, String name)
            throws ServletException {
        String text = parameter(context, name, "");
        try {
            return (SipURI) factory.createURI(text);
        } catch (ServletParseException | ClassCastException e) {
            throw new ServletException(name + " must be a SIP URI, not '" + text + "'", e);
        }
    }

    @Override
    public String toString() {
        return identity + " at " + registrar; // the password stays out of logs
    }
}
