package io.carillon.servlet.proxy;
import io.carillon.servlet.*;
import io.carillon.servlet.session.*;
import io.carillon.servlet.message.*;
import io.carillon.sip.message.*;
import io.carillon.sip.stack.*;
public final class ProxiedRequests {
  public ProxiedRequests(SipContainer c) {}
  public void receive(ServletSession s, ServletRequest r) {}
  public void receiveAck(ServletSession s, ServletRequest r, SipRequest a, Hop h) {}
}
