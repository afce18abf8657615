package io.carillon.pojo.engine;

import java.io.IOException;
import java.util.List;
import javax.servlet.ServletContext;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import org.jspecify.annotations.Nullable;

/**
 * The one servlet of an application of plain objects: finds the handlers when it is initialized,
 * and gives them every message. An archive that holds this library has it without saying so in its
 * sip.xml; servers that embed Carillon make it with the beans they have.
 */
@javax.servlet.sip.annotation.SipServlet(name = HandlerServlet.NAME, loadOnStartup = 1)
public class HandlerServlet extends javax.servlet.sip.SipServlet {
    /** Name of the servlet. */
    public static final String NAME = "handlers";

    /** Attribute of the servlet context under which the listener finds the handlers. */
    static final String HANDLERS = "io.carillon.pojo.handlers";

    private static final long serialVersionUID = 1L;

    private transient @Nullable BeanSource source;
    private transient @Nullable Handlers handlers;

    /** In an archive: the beans come from what the archive holds. */
    public HandlerServlet() {}

    /**
     * In code.
     *
     * @param source started by {@code init}, closed by {@code destroy}
     */
    public HandlerServlet(BeanSource source) {
        this.source = source;
    }

    @Override
    public void init() throws ServletException {
        ServletContext context = getServletContext();
        BeanSource chosen = source;
        if (chosen == null) {
            chosen = BeanSources.choose(context);
            source = chosen;
        }
        boolean whole = false;
        try {
            List<HandlerBean> beans = chosen.start(context);
            Handlers compiled = Handlers.compile(chosen, beans, context);
            handlers = compiled;
            context.setAttribute(HANDLERS, compiled);
            whole = true;
        } finally {
            if (!whole) {
                chosen.close();
            }
        }
    }

    @Override
    public void destroy() {
        getServletContext().removeAttribute(HANDLERS);
        handlers = null;
        BeanSource started = source;
        if (started != null) {
            started.close();
        }
    }

    @Override
    public void service(@Nullable ServletRequest request, @Nullable ServletResponse response)
            throws ServletException, IOException {
        Handlers ready = handlers;
        if (ready == null) {
            throw new ServletException("the handlers are not there: the application is stopped");
        }
        if (request instanceof SipServletRequest sip) {
            ready.handle(sip);
        } else if (response instanceof SipServletResponse sip) {
            if (sip.isBranchResponse()) {
                doBranchResponse(sip);
            } else {
                ready.handle(sip);
            }
        }
    }

    /** Observers alone are told; that this method is here lets the container call for branches. */
    @Override
    protected void doBranchResponse(SipServletResponse response)
            throws ServletException, IOException {
        Handlers ready = handlers;
        if (ready != null) {
            ready.branch(response);
        }
    }
}
