package io.carillon.servlet.app;

import java.util.List;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipSessionsUtil;
import javax.servlet.sip.SipURI;
import javax.servlet.sip.TimerService;

/**
 * What the container gives one application: injected by {@code @Resource}, and shown as attributes
 * of its servlet context.
 *
 * @param outboundInterfaces the listening points
 * @param supported option tags, as {@code 100rel}
 * @param supportedRfcs numbers, as {@code 3261}
 */
public record ApplicationServices(
        SipFactory sipFactory,
        TimerService timerService,
        SipSessionsUtil sipSessionsUtil,
        List<SipURI> outboundInterfaces,
        List<String> supported,
        List<String> supportedRfcs) {

    public ApplicationServices {
        outboundInterfaces = List.copyOf(outboundInterfaces);
        supported = List.copyOf(supported);
        supportedRfcs = List.copyOf(supportedRfcs);
    }
}
