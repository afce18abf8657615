package io.carillon.servlet.check;

import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.ServletDescription;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The lines of a router file that would give an application its requests: one for each method that
 * its servlets handle and that can be an initial request. One thread.
 */
final class RouterEntries {
    private static final String REQUEST = "(Ljavax/servlet/sip/SipServletRequest;)V";
    private static final String SERVICE =
            "service(Ljavax/servlet/ServletRequest;Ljavax/servlet/ServletResponse;)V";

    /** Methods of SipServlet, and the requests that they get outside of a dialog. */
    private static final Map<String, String> HANDLERS = handlers();

    private final Map<String, ClassReferences> classes;

    /**
     * @param classes those of the archive, by name
     */
    RouterEntries(Map<String, ClassReferences> classes) {
        this.classes = classes;
    }

    private static Map<String, String> handlers() {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("doInvite", "INVITE");
        all.put("doRegister", "REGISTER");
        all.put("doMessage", "MESSAGE");
        all.put("doSubscribe", "SUBSCRIBE");
        all.put("doPublish", "PUBLISH");
        all.put("doNotify", "NOTIFY");
        all.put("doRefer", "REFER");
        all.put("doOptions", "OPTIONS");
        all.put("doInfo", "INFO");
        return all;
    }

    List<String> of(ApplicationDescription description) {
        List<String> lines = new ArrayList<>();
        if (handles(description, SERVICE) || handles(description, "doRequest" + REQUEST)) {
            lines.add(line("ALL", description.name()));
            return lines;
        }
        HANDLERS.forEach((handler, method) -> {
            if (handles(description, handler + REQUEST)) {
                lines.add(line(method, description.name()));
            }
        });
        return lines;
    }

    private static String line(String method, String application) {
        return method
                + ": (\""
                + application
                + "\", \"DAR:From\", \"NEUTRAL\", \"\", \"NO_ROUTE\", \"0\")";
    }

    private boolean handles(ApplicationDescription description, String method) {
        for (ServletDescription servlet : description.servlets()) {
            ClassReferences at = classes.get(servlet.className());
            for (int depth = 0; at != null && depth < 50; depth++) {
                if (at.methods().contains(method)) {
                    return true;
                }
                at = classes.get(at.superName());
            }
        }
        return false;
    }
}
