package org.example.location;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import javax.servlet.ServletContext;
import javax.servlet.ServletException;
import javax.servlet.sip.*;

/** Keeps the Contact addresses themselves, in an attribute of the context for each user. */
public class Registrar extends SipServlet {
    @Override
    protected void doRegister(SipServletRequest register) throws ServletException, IOException {
        ServletContext context = getServletContext();
        SipURI user = (SipURI) register.getTo().getURI();
        if (!user.getHost().equals(context.getInitParameter("domain"))) {
            register.createResponse(SipServletResponse.SC_NOT_FOUND, "Not our domain").send();
            return;
        }
        String key = "binding:" + user.getUser();
        List<Address> bindings = (List<Address>) context.getAttribute(key);
        if (bindings == null) {
            bindings = new ArrayList<Address>();
            context.setAttribute(key, bindings);
        }
        ListIterator<Address> contacts = register.getAddressHeaders("Contact");
        while (contacts.hasNext()) {
            Address contact = contacts.next();
            if (contact.isWildcard()) {
                bindings.clear();
                continue;
            }
            for (Iterator<Address> old = bindings.iterator(); old.hasNext();) {
                if (old.next().getURI().equals(contact.getURI())) {
                    old.remove();
                }
            }
            int expires = contact.getExpires() >= 0 ? contact.getExpires() : register.getExpires();
            if (expires != 0) {
                contact.setExpires(expires < 0 ? 3600 : expires);
                bindings.add(contact);
            }
        }
        SipServletResponse ok = register.createResponse(SipServletResponse.SC_OK);
        for (Address binding : bindings) {
            ok.addAddressHeader("Contact", binding, false);
        }
        ok.send();
    }
}
