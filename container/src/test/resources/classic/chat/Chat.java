package org.example.chat;

import java.io.IOException;
import java.io.UnsupportedEncodingException;
import java.util.Map;
import java.util.TreeMap;
import javax.servlet.ServletConfig;
import javax.servlet.ServletException;
import javax.servlet.sip.*;

/** A room: what one member writes goes to all others. */
public class Chat extends SipServlet {
    private final Map<String, Address> members = new TreeMap<String, Address>();
    private SipFactory factory;

    @Override
    public void init(ServletConfig config) throws ServletException {
        super.init(config);
        factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
    }

    @Override
    protected void doMessage(SipServletRequest message) throws ServletException, IOException {
        message.createResponse(SipServletResponse.SC_OK).send();
        String from = message.getFrom().getURI().toString();
        String text = String.valueOf(message.getContent());
        if (text.startsWith("/join")) {
            members.put(from, message.getFrom());
            write(message.getTo(), message.getFrom(), "welcome, " + members.size() + " here", null);
        } else if (text.startsWith("/quit")) {
            members.remove(from);
        } else {
            for (Map.Entry<String, Address> member : members.entrySet()) {
                if (!member.getKey().equals(from)) {
                    write(message.getTo(), member.getValue(), from + ": " + text, message);
                }
            }
        }
    }

    private void write(Address room, Address member, String text, SipServletRequest cause)
            throws IOException {
        SipApplicationSession delivery = factory.createApplicationSession();
        SipServletRequest message = factory.createRequest(delivery, "MESSAGE", room, member);
        try {
            message.setContent(text, "text/plain;charset=UTF-8");
        } catch (UnsupportedEncodingException e) {
            throw new IOException(e.toString());
        }
        if (cause != null && cause.getHeader("Subject") != null) {
            message.setHeader("Subject", cause.getHeader("Subject"));
        }
        message.send();
    }

    @Override
    protected void doErrorResponse(SipServletResponse response) {
        members.remove(response.getTo().getURI().toString());
        response.getApplicationSession().invalidate();
    }

    @Override
    protected void doSuccessResponse(SipServletResponse response) {
        response.getApplicationSession().invalidate();
    }
}
